import "#shared/ui/form-without-eval.ts";
import { z } from "zod";
import { showToast } from "#shared/ui/feedback.ts";
import { firstFault } from "#shared/ui/use-form.ts";
import { ChangedPassword, GivenPassword, newPassword, sentences } from "../../person.ts";
import { AccountForm } from "../account-form.tsx";
import { PasswordField, ShowPasswords, useShownPasswords } from "../form-password.tsx";
import { useAccountForm } from "../use-account-form.ts";
import { PasskeysCard } from "./passkeys-card.tsx";
import { beginPersonalCalls, withPersonalCalls } from "./with-personal-calls.ts";

const order = ["oldPassword", "newPassword", "confirmPassword"] as const;
type Passwords = Record<(typeof order)[number], string>;
const untouched: Passwords = { oldPassword: "", newPassword: "", confirmPassword: "" };

const PasswordFields = z
  .object({
    oldPassword: z.string().min(1, sentences.oldRequired).pipe(GivenPassword),
    newPassword: ChangedPassword,
    confirmPassword: z.string().min(1, sentences.confirmRequired).pipe(newPassword(sentences.confirmShort)),
  })
  // Reported even if other fields are wrong.
  .refine((typed) => typed.newPassword === typed.confirmPassword, {
    path: ["confirmPassword"],
    message: sentences.noMatch,
    when: () => true,
  });

type ChangePasswordPageProps = {
  readonly user: { readonly id: number; readonly email: string };
  readonly hasPasskeys?: boolean;
};

/** Sets a new password, given the current one, and logs out all other devices (PRO-5, PRO-6). Also manages passkeys. */
export function ChangePasswordPage({ user, hasPasskeys = false }: ChangePasswordPageProps) {
  const shown = useShownPasswords();
  const form = useAccountForm<Passwords>({ schema: PasswordFields, order, send, flagsEmpty: true });
  async function send(passwords: Passwords) {
    shown.hide();
    const outcome = await withPersonalCalls((calls) => calls.changePassword(user.id, passwords));
    if (outcome.kind === "done") {
      form.form.reset(untouched);
      showToast(sentences.passwordChanged);
    }
    return outcome;
  }
  const typed = Object.fromEntries(order.map((name) => [name, form.form.watch(name) ?? ""]));
  return (
    <>
      <h1>Change Password</h1>
      <p className="lede">You’ll stay logged in here and be logged out on all other devices.</p>
      <div className="plain-card profile-form needs-script">
        <AccountForm
          name="Change password"
          form={form}
          button="Change Password"
          onFocus={beginPersonalCalls}
          closedBecause={firstFault(PasswordFields, typed)}
        >
          <input type="email" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField
            {...form.field("oldPassword")}
            shown={shown}
            label="Old Password"
            autoComplete="current-password"
            className="w-md"
          />
          <PasswordField
            {...form.field("newPassword")}
            shown={shown}
            label="New Password"
            hint="At least 8 characters. A sentence you make up is easy to remember and hard to guess."
            autoComplete="new-password"
            className="w-md"
          />
          <PasswordField
            {...form.field("confirmPassword")}
            shown={shown}
            label="Confirm Password"
            autoComplete="new-password"
            className="w-md"
          />
          <ShowPasswords shown={shown} label="Show passwords" />
        </AccountForm>
      </div>
      {hasPasskeys && <PasskeysCard email={user.email} />}
    </>
  );
}
