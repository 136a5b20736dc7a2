import { type Screen, screen } from "#admin/screen.ts";
import { TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { lacksName } from "../server/invitations.ts";
import { Gate, PasskeyForm, Way } from "./entrance.tsx";
import { PasswordForm, sealedIn } from "./password-form.tsx";

const welcome = screen({
  path: "/admin/welcome/:token",
  right: "everybody",
  isBare: true,
  // Opening it changes nothing, because programs that check emails open links too.
  load: async (reads, request) => ({
    entrance: reads.entrance(),
    open: await reads.openInvitation(request.params.token ?? "", sealedIn(request)),
  }),
  title: () => "Welcome",
  body: ({ entrance, open }, request) => {
    if (open === null) {
      return (
        <Gate title="This link no longer works">
          <p>It was used, replaced by a later one, is older than 72 hours, or was not copied whole from the email.</p>
          <p>
            If you have set up a passkey or a password with it, <a href="/admin/sign-in">log in</a>. Otherwise ask an
            administrator to invite you again: <a href={`mailto:${entrance.contact}`}>{entrance.contact}</a>
          </p>
        </Gate>
      );
    }
    const { invitation, setUp } = open;
    const path = request.path.replace(/\/(?:passkey|password)$/, "");
    const isReset = invitation.kind === "reset";
    const asksName = lacksName(invitation) && (
      <TextField name="name" label="Your name" hint="Your colleagues see it." autoComplete="name" />
    );
    return (
      <Gate title={isReset ? "Set up your log-in again" : "Welcome"}>
        <p>
          <bdi>{invitation.name}</bdi> (<bdi>{invitation.email}</bdi>),{" "}
          {isReset
            ? "your earlier passkeys, password and codes no longer work. Set up a new way to log in."
            : `you are invited to the back office of ${entrance.organisationName}. Set up how you will log in.`}
        </p>
        {request.staff !== null && (
          <Note look="warn">
            In this browser <bdi>{request.staff.name}</bdi> is logged in. Their session here ends if you go on.
          </Note>
        )}
        {entrance.hasPasskeys ? (
          <PasskeyForm
            id="passkey"
            action={`${path}/passkey`}
            options={`${path}/options`}
            purpose="create"
            request={request}
            label="Set up a passkey"
            moreFields={asksName}
            hint="Your device keeps it, and asks for your fingerprint, your face or its code. It takes a minute, and there is nothing to remember."
          />
        ) : (
          <Note look="warn">Passkeys do not work here, because this site’s address is a number instead of a name.</Note>
        )}
        <div className="ways">
          <Way
            name="Use a password instead"
            icon="lock"
            about="With an authenticator app on your phone"
            isOpen={!entrance.hasPasskeys || request.form?.action === `${path}/password`}
          >
            <PasswordForm
              action={`${path}/password`}
              setUp={setUp}
              label="Set the password and go in"
              request={request}
              moreFields={asksName}
            />
          </Way>
        </div>
      </Gate>
    );
  },
});

export const welcomeScreens: readonly Screen[] = [welcome];
