import { type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { Afterwards, Gate, PasskeyForm, Way } from "./entrance.tsx";
import type { Entrance } from "./log-in-part.ts";
import { CODE_PATH, nextScreen } from "./next-path.ts";

const passkeyHint = "Your device asks for your fingerprint, your face or its code. We never see them.";

const logIn = screen({
  path: "/admin/sign-in",
  right: "everybody",
  isBare: true,
  leadsTo: ({ staff, query }) => (staff === null ? null : nextScreen(query.next)),
  load: async (reads) => reads.entrance(),
  title: () => "Log in",
  body: (entrance, request) =>
    isCodeNext(request) ? (
      <EmailedCode entrance={entrance} request={request} />
    ) : (
      <LogIn entrance={entrance} request={request} />
    ),
});

type Shown = { entrance: Entrance; request: ScreenRequest };

/** Whether the last form was a password that also needs an emailed code, or such a code. */
const isCodeNext = ({ form }: ScreenRequest): boolean => form?.state === "checking" || form?.action === CODE_PATH;

/** The same whether or not anything that was typed is right. */
function EmailedCode({ entrance: { hasPasskeys }, request }: Shown) {
  const next = request.form?.values.next?.[0];
  const again = next === undefined ? "/admin/sign-in" : `/admin/sign-in?${new URLSearchParams({ next })}`;
  return (
    <Gate title="Enter the code from your email">
      {request.form?.state === "checking" && <Note isNews>{request.form.message}</Note>}
      <ActionForm id="emailed" action={CODE_PATH} request={request} className="set-up">
        <Afterwards request={request} />
        <TextField
          name="emailedCode"
          label="Eight-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="It works once, for ten minutes, in this browser."
        />
        <button className="btn big wide" type="submit">
          Log in
        </button>
      </ActionForm>
      <p className="hint">
        No email after a minute? Then something you typed was not right. <a href={again}>Log in again</a>
        {hasPasskeys && ", or use a passkey, which never needs this code"}.
      </p>
    </Gate>
  );
}

const notices: Readonly<Record<string, { look: "ok" | "warn"; text: string }>> = {
  out: { look: "ok", text: "You are logged out." },
  over: {
    look: "warn",
    text: "That link has been used, or is more than an hour old. On the server, ‘npm run staff -- link’ and an email address print another.",
  },
};

function LogIn({ entrance: { hasPasskeys, contact }, request }: Shown) {
  const notice = notices[request.query.notice ?? ""];
  return (
    <Gate title="Log in">
      <p className="muted">
        {hasPasskeys
          ? "To the back office, with the passkey on this device or on a key."
          : "To the back office. Passkeys do not work here, because this site’s address is a number instead of a name."}
      </p>
      {notice && <Note look={notice.look}>{notice.text}</Note>}
      {request.carried !== null && (
        <Note isNews>Your session has ended. What you typed is kept: log in, check it, and send it again.</Note>
      )}
      <p hidden data-enhance="passkey" data-logged-in={nextScreen(request.query.next)} />
      {hasPasskeys && (
        <>
          <PasskeyForm
            id="passkey"
            action="/admin/sign-in/passkey"
            options="/admin/sign-in/options"
            request={request}
            purpose="use"
            label="Log in with a passkey"
            hint={passkeyHint}
          />
          <p className="or">No passkey on this device?</p>
        </>
      )}
      <OtherWays request={request} />
      <p className="hint">
        Cannot get in? An administrator can send you a new invitation: <a href={`mailto:${contact}`}>{contact}</a>
      </p>
    </Gate>
  );
}

const email = <TextField name="email" label="Email" type="email" autoComplete="username" spellCheck={false} />;
const password = <TextField name="password" label="Password" type="password" autoComplete="current-password" />;
const code = (
  <TextField
    name="code"
    label="Six-digit code"
    hint="From your authenticator app. You can paste it."
    inputMode="numeric"
    autoComplete="one-time-code"
  />
);

function OtherWays({ request }: Pick<Shown, "request">) {
  const sent = request.form?.action;
  return (
    <div className="ways">
      <Way
        name="Password and code"
        icon="lock"
        about="The code comes from your authenticator app"
        isOpen={sent === "/admin/sign-in/password"}
      >
        <ActionForm id="password" action="/admin/sign-in/password" request={request}>
          <Afterwards request={request} />
          {email}
          {password}
          {code}
          <button className="btn big wide" type="submit">
            Log in
          </button>
        </ActionForm>
      </Way>
      <Way
        name="A recovery code"
        icon="receipt"
        about="One of the ten that you printed or wrote down"
        isOpen={sent === "/admin/sign-in/recovery"}
      >
        <ActionForm id="recovery" action="/admin/sign-in/recovery" request={request}>
          <Afterwards request={request} />
          {email}
          {password}
          <TextField
            name="recoveryCode"
            label="Recovery code"
            hint={request.hasNoMail ? "Each works once." : "Each works once. We tell you by email."}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
          />
          <button className="btn big wide" type="submit">
            Log in with a recovery code
          </button>
        </ActionForm>
      </Way>
    </div>
  );
}

const confirm = screen({
  path: "/admin/confirm",
  right: "logged in",
  isBare: true,
  load: async (reads, { staff }) => ({ entrance: reads.entrance(), ways: await reads.listOwnWaysToLogIn(staff!.id) }),
  title: () => "Confirm that it is you",
  body: ({ entrance, ways }, request) => {
    const canUsePasskey = entrance.hasPasskeys && ways.passkeys.some(({ isBlocked }) => !isBlocked);
    return (
      <Gate title="Confirm that it is you">
        <p className="muted">
          You are logged in as <bdi>{request.staff!.name}</bdi>. This needs a fresh proof, which then counts for ten
          minutes.
        </p>
        {request.carried !== null && <Note isNews>What you typed is kept. Nothing was sent yet.</Note>}
        {canUsePasskey && (
          <PasskeyForm
            id="passkey"
            action="/admin/confirm/passkey"
            options="/admin/confirm/options"
            request={request}
            purpose="use"
            label="Confirm with a passkey"
            hint={passkeyHint}
          />
        )}
        {ways.hasPassword && (
          <div className="ways">
            <Way
              name="Password and code"
              icon="lock"
              about="The code comes from your authenticator app"
              isOpen={!canUsePasskey || request.form?.action === "/admin/confirm/password"}
            >
              <ActionForm id="password" action="/admin/confirm/password" request={request}>
                <Afterwards request={request} />
                {password}
                {code}
                <button className="btn big wide" type="submit">
                  Confirm
                </button>
              </ActionForm>
            </Way>
          </div>
        )}
        {!canUsePasskey && !ways.hasPassword && <NoWay isDemo={entrance.isDemo} />}
        <p className="hint">
          <a href={nextScreen(request.query.next)}>Back, without doing it</a>
        </p>
      </Gate>
    );
  },
});

function NoWay({ isDemo }: { isDemo: boolean }) {
  return (
    <Note look="warn" title="You have no way to confirm it">
      {isDemo
        ? "You came by the demo’s link, which counts as a proof for its first ten minutes. Start the demo again, or run ‘npm run staff -- link’ with your email address: each prints a new link."
        : "Ask an administrator to reset your log-in."}
    </Note>
  );
}

export const logInScreens: readonly Screen[] = [logIn, confirm];
