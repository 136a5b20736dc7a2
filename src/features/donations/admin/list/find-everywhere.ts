import { type Hit, isolate, type SearchPart } from "#admin/search.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatDollars, formatMoment } from "#shared/language.ts";
import { noFilter } from "../../server/search/donation-filter.ts";
import { type ListedDonation, listDonations } from "../../server/search/list-donations.ts";
import { listFoundDonors, present } from "./list-screen.ts";

const MAX_HITS = 5;

/** The donors and donations that the search of the whole back office finds. */
export function donationSearch(database: Database): SearchPart {
  return {
    right: "donations.see",
    async find(text) {
      const { rows } = await listDonations(database, { filter: { ...noFilter, q: text }, limit: MAX_HITS });
      const donors = listFoundDonors(text, rows).map(
        ({ name, email, donationId }): Hit => ({ label: name, detail: email, path: `/admin/people/${donationId}` }),
      );
      return [
        { title: "Donors", icon: "user", hits: donors },
        { title: "Donations", icon: "drop", hits: rows.map(describe) },
      ];
    },
  };
}

function describe(row: ListedDonation): Hit {
  const { name, isAnonymous, receipt, at, totalCents } = present(row, false);
  const day = formatMoment(at, { day: "numeric", month: "short", year: "numeric", timeZone: "Australia/Sydney" });
  return {
    label: `${formatDollars(totalCents)}, ${isAnonymous ? "given anonymously" : name ? isolate(name) : "donor erased"}`,
    detail: [receipt, day].filter(Boolean).join(", "),
    path: `/admin/donations/${row.id}`,
  };
}
