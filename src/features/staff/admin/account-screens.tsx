import { roles } from "#admin/rights.ts";
import { type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import type { ListedStaffSession } from "#admin/staff-sessions.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { formatList, formatMoment, plural } from "#shared/language.ts";
import { describeDevice } from "#shared/sessions/device.ts";
import type { OwnPasskey, OwnWaysToLogIn } from "../server/own-account.ts";
import { PasskeyForm } from "./entrance.tsx";
import type { Entrance } from "./log-in-part.ts";
import { KeptField, PasswordForm, RecoveryCodes, sealedIn } from "./password-form.tsx";

type Account = {
  readonly entrance: Entrance;
  readonly ways: OwnWaysToLogIn;
  readonly sessions: readonly ListedStaffSession[];
};

const day = (at: Date) =>
  formatMoment(at, { day: "numeric", month: "long", year: "numeric", timeZone: "Australia/Sydney" });
const moment = (at: Date) =>
  formatMoment(at, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
    timeZone: "Australia/Sydney",
  });

const you = screen({
  path: "/admin/you",
  right: "logged in",
  load: async (reads, { staff }): Promise<Account> => ({
    entrance: reads.entrance(),
    ways: await reads.listOwnWaysToLogIn(staff!.id),
    sessions: await reads.listOwnSessions(staff!.id),
  }),
  title: () => "Your account",
  body: (account, request) => {
    const { name, email, roles: held } = request.staff!;
    const roleNames = formatList(
      held.map((role) => roles[role].name),
      "and",
    );
    return (
      <>
        <PageHead
          title={<bdi>{name}</bdi>}
          about={
            <>
              <bdi>{email}</bdi> · {roleNames}
            </>
          }
        >
          <ActionForm id="log-out" action="/admin/log-out" request={request}>
            <button className="btn quiet" type="submit">
              <Icon name="out" />
              Log out
            </button>
          </ActionForm>
        </PageHead>
        <div className="sec two own">
          <div>
            <Passkeys {...account} request={request} />
            <Password {...account.ways} request={request} />
            <OwnName name={name} request={request} />
          </div>
          <Sessions sessions={account.sessions} request={request} />
        </div>
      </>
    );
  },
});

type Asked = { request: ScreenRequest };

function Passkeys({ entrance, ways, request }: Account & Asked) {
  const { passkeys } = ways;
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Your passkeys</h2>
      {passkeys.filter(({ isBlocked }) => !isBlocked).length === 1 && !ways.hasPassword && (
        <Note look="warn">
          Add a second one, on another device or a security key. If you lose your only one, you are locked out.
        </Note>
      )}
      {passkeys.length === 0 && (
        <p className="muted">
          None yet. With a passkey you log in with your fingerprint, your face or your device’s code.
        </p>
      )}
      <ul className="lst" aria-labelledby="passkeys">
        {passkeys.map((passkey) => (
          <Passkey passkey={passkey} request={request} key={passkey.id} />
        ))}
      </ul>
      {entrance.hasPasskeys ? (
        <PasskeyForm
          id="add-passkey"
          action="/admin/you/passkeys"
          options="/admin/you/passkeys/options"
          request={request}
          purpose="create"
          label="Add a passkey"
          isQuiet
        />
      ) : (
        <Note look="warn">Passkeys do not work here, because this site’s address is a number instead of a name.</Note>
      )}
    </section>
  );
}

function Passkey({
  passkey: { id, name, createdAt, lastUsedAt, isBlocked },
  request,
}: { passkey: OwnPasskey } & Asked) {
  const path = `/admin/you/passkeys/${id}`;
  return (
    <li>
      <Icon name="key" />
      <div className="grow">
        <b>
          <bdi>{name}</bdi>
        </b>
        <br />
        <span className="small muted">
          {isBlocked
            ? "Blocked, because a copy of it may exist. Remove it."
            : lastUsedAt === null
              ? `Added on ${day(createdAt)}, not used yet`
              : `Last used ${moment(lastUsedAt)}`}
        </span>
        <details className="way-details" open={request.form?.action === `${path}/name`}>
          <summary className="small">
            Rename<span className="sr"> {name}</span>
          </summary>
          <ActionForm id={`name-${id}`} action={`${path}/name`} request={request}>
            <TextField name="name" label="Name" defaultValue={name} autoComplete="off" />
            <button className="btn quiet" type="submit">
              Save the name
            </button>
          </ActionForm>
        </details>
      </div>
      <ActionForm id={`remove-${id}`} action={`${path}/remove`} request={request} className="push">
        <button className="btn quiet" type="submit">
          Remove<span className="sr"> {name}</span>
        </button>
      </ActionForm>
    </li>
  );
}

function Password({ hasPassword, recoveryCodes, request }: OwnWaysToLogIn & Asked) {
  if (!hasPassword) {
    return (
      <section aria-labelledby="own-password">
        <h2 id="own-password">Password and code</h2>
        <p className="muted">
          Not set. It helps on devices without passkeys; it needs an authenticator app on your phone.
        </p>
        <p>
          <a className="btn quiet" href="/admin/you/password">
            Set a password
          </a>
        </p>
      </section>
    );
  }
  return (
    <section aria-labelledby="own-password">
      <h2 id="own-password">Password and code</h2>
      <p className="muted">
        Set, with an authenticator app.{" "}
        {plural(recoveryCodes, {
          one: "One recovery code is left.",
          other: `${recoveryCodes} recovery codes are left.`,
        })}
      </p>
      <div className="row">
        <a className="btn quiet" href="/admin/you/password">
          Change password and app
        </a>
        <a className="btn quiet" href="/admin/you/recovery-codes">
          New recovery codes
        </a>
        <ActionForm id="remove-password" action="/admin/you/password/remove" request={request}>
          <button className="btn quiet" type="submit">
            Remove the password
          </button>
        </ActionForm>
      </div>
    </section>
  );
}

function OwnName({ name, request }: { name: string } & Asked) {
  return (
    <section aria-labelledby="own-name">
      <h2 id="own-name">Your name</h2>
      <ActionForm id="name" action="/admin/you/name" request={request} className="stack">
        <TextField
          name="name"
          label="Name"
          defaultValue={name}
          autoComplete="name"
          hint="Everybody in the back office sees it. What you did before keeps the earlier one."
        />
        <button className="btn quiet" type="submit">
          Change your name
        </button>
      </ActionForm>
    </section>
  );
}

function Sessions({ sessions, request }: Pick<Account, "sessions"> & Asked) {
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">You are logged in here</h2>
      <ul className="lst" aria-labelledby="sessions">
        {sessions.map(({ id, device, ipAddress, createdAt, lastSeenAt }) => {
          const isHere = id === request.sessionId;
          const name = describeDevice(device);
          return (
            <li key={id}>
              <Icon name={isHere ? "ok" : "user"} />
              <div className="grow">
                <b>{name}</b>
                {isHere && " (this browser)"}
                <br />
                <span className="small muted">
                  Since {moment(createdAt)}, last seen {moment(lastSeenAt)}, from {ipAddress}
                </span>
              </div>
              {!isHere && (
                <ActionForm
                  id={`end-${id}`}
                  action={`/admin/you/sessions/${id}/end`}
                  request={request}
                  className="push"
                >
                  <button className="btn quiet" type="submit">
                    End session<span className="sr">: {name}</span>
                  </button>
                </ActionForm>
              )}
            </li>
          );
        })}
      </ul>
      <p className="hint">
        A session ends 30 minutes after you last opened, sent or wrote something, and after 12 hours at most.
      </p>
    </section>
  );
}

const crumbs = [{ label: "Your account", path: "/admin/you" }];

const password = screen({
  path: "/admin/you/password",
  right: "logged in",
  load: async (reads, request) => reads.offerPassword(request.staff!, sealedIn(request)),
  title: () => "Password and code",
  body: (setUp, request) => (
    <>
      <PageHead
        title="Password and code"
        crumbs={crumbs}
        about="Nothing changes until you send this. Then earlier passwords, apps and recovery codes stop working, and your other sessions end."
      />
      <PasswordForm action="/admin/you/password" setUp={setUp} label="Set the password" request={request} />
    </>
  ),
});

const recoveryCodes = screen({
  path: "/admin/you/recovery-codes",
  right: "logged in",
  load: async (reads, request) => reads.offerPassword(request.staff!, sealedIn(request)),
  title: () => "New recovery codes",
  body: (setUp, request) => (
    <>
      <PageHead
        title="New recovery codes"
        crumbs={crumbs}
        about="They work once you send this, and the earlier ones stop working."
      />
      <ActionForm id="codes" action="/admin/you/recovery-codes" request={request} className="set-up">
        <input type="hidden" name="setUp" value={setUp.sealed} />
        <RecoveryCodes codes={setUp.recoveryCodes} />
        <KeptField />
        <button className="btn" type="submit">
          Use these codes from now on
        </button>
      </ActionForm>
    </>
  ),
});

export const accountScreens: readonly Screen[] = [you, password, recoveryCodes];
