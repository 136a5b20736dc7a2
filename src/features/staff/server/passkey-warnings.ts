import type { Connection } from "#shared/database/connect.ts";
import { plural } from "#shared/language.ts";
import { passkeyHost } from "#shared/passkeys/passkeys.ts";
import { countPasskeysElsewhere } from "./passkey-store.ts";

type Needs = { readonly database: Connection; readonly config: { readonly publicUrl: string } };

/** What to tell the operator after the site has moved to another host, where passkeys of the former do not work. */
export async function warnOfPasskeys({ database, config }: Needs): Promise<string[]> {
  const host = passkeyHost(config);
  const elsewhere = await countPasskeysElsewhere(database, host);
  return elsewhere.map(({ host: former, count }) => {
    const which = plural(Number(count), {
      one: "1 passkey of staff belongs",
      other: `${count} passkeys of staff belong`,
    });
    return (
      `${which} to ${former} and does not work at ${host}. If the move was not meant, set PUBLIC_URL back. ` +
      "Otherwise staff log in with their password and app, or an administrator invites them again (npm run staff -- reset EMAIL)"
    );
  });
}
