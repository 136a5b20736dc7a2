import type { QrPath } from "#shared/images/qr-code.ts";
import { offerSetUp } from "../server/password-set-up.ts";
import type { StaffServices } from "../server/services.ts";
import { totpAddress } from "../server/totp.ts";

/** What a form for a new password shows. */
export type ShownSetUp = {
  /** For the authenticator app. */
  readonly qrCode: QrPath;
  /** The same secret for typing, in groups of four. */
  readonly typedSecret: string;
  readonly recoveryCodes: readonly string[];
  /** For the form's hidden field. */
  readonly sealed: string;
  readonly email: string;
};

/** Offers a new secret and new codes; nothing is changed until the form is sent. */
export async function showSetUp(
  { config, organisation, now }: Pick<StaffServices, "config" | "organisation" | "now">,
  { id, email }: { readonly id: number; readonly email: string },
  sealedBefore: string | undefined,
): Promise<ShownSetUp> {
  const { totpSecret, recoveryCodes, sealed } = await offerSetUp(config.secretKey, id, sealedBefore, now());
  const address = await totpAddress(totpSecret, { siteName: organisation.current().name, email });
  const { drawQrPath } = await import("#shared/images/qr-code.ts");
  return {
    qrCode: drawQrPath(address),
    typedSecret: totpSecret.replace(/(.{4})(?=.)/g, "$1 "),
    recoveryCodes,
    sealed,
    email,
  };
}
