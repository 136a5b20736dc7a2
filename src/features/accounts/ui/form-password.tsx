import { type ComponentProps, useState } from "react";
import { TextField } from "#shared/ui/form-field.tsx";

/** Whether the passwords of a form can be read; `hide` before it is sent, so that browsers take them for passwords. */
export function useShownPasswords() {
  const [isShown, setShown] = useState(false);
  return { isShown, toggle: () => setShown(!isShown), hide: () => setShown(false) };
}
type Shown = ReturnType<typeof useShownPasswords>;

/** One line for a password, of any length: pasting and password managers are welcome. */
export function PasswordField({ shown, ...field }: { shown: Shown } & ComponentProps<typeof TextField>) {
  return (
    <TextField
      {...field}
      type={shown.isShown ? "text" : "password"}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}

/** The box that shows the passwords of its form, and hides them again. */
export function ShowPasswords({ shown, label = "Show password" }: { shown: Shown; label?: string }) {
  return (
    <label className="check show-password">
      <input type="checkbox" checked={shown.isShown} onChange={shown.toggle} />
      <span>{label}</span>
    </label>
  );
}
