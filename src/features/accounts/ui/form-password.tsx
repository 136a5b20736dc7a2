import { type ComponentProps, useState } from "react";
import { TextField } from "#shared/ui/form-field.tsx";

/** Whether a form's passwords are readable. Call `hide` before sending, or browsers won't recognise them. */
export function useShownPasswords() {
  const [isShown, setShown] = useState(false);
  return { isShown, toggle: () => setShown(!isShown), hide: () => setShown(false) };
}
type Shown = ReturnType<typeof useShownPasswords>;

/** A password of any length; pasting and password managers are allowed. */
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

export function ShowPasswords({ shown, label = "Show password" }: { shown: Shown; label?: string }) {
  return (
    <label className="check show-password">
      <input type="checkbox" checked={shown.isShown} onChange={shown.toggle} />
      <span>{label}</span>
    </label>
  );
}
