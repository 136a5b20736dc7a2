import type { AdminPart } from "#admin/feature.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatMoment } from "#shared/language.ts";
import { findAccountEmail, searchAccounts } from "../server/find-accounts.ts";

/** Members in the search of everything, each with a person's page, whether or not they gave. */
export function accountsAdmin({ database }: { readonly database: Database }): readonly AdminPart[] {
  return [
    {
      person: [{ right: "donations.see", findEmail: (id) => findAccountEmail(database, id) }],
      search: [
        {
          right: "donations.see",
          async find(text) {
            const hits = (await searchAccounts(database, text)).map(({ key, name, email, since }) => {
              const day = formatMoment(since, { dateStyle: "medium", timeZone: "Australia/Sydney" });
              return { label: name, detail: `${email}, since ${day}`, path: `/admin/people/${key}` };
            });
            return [{ title: "Members with an account", icon: "user", hits }];
          },
        },
      ],
    },
  ];
}
