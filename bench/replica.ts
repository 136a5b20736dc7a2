import { makeManyDonors } from "#database/many-donations.ts";
import type { WriteInput } from "#features/donations/admin/export/write-donations.ts";
import { noFilter } from "#features/donations/server/search/donation-filter.ts";
import { planExport } from "#features/donations/server/search/export-donations.ts";
import { streamFromWorker } from "#shared/workers/stream-from-worker.ts";
import { openPrimary, openStandby } from "#test/standby.ts";
import { serverSeconds } from "./server-seconds.ts";
import { printColumns } from "./table.ts";

// What an export costs the database, read from it and read from a replica of it.

const DONATIONS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 3;

const module = new URL("../src/features/donations/admin/export/write-donations.ts", import.meta.url);
const primary = await openPrimary();
await makeManyDonors(primary.database, { count: DONATIONS, until: new Date("2026-11-01T00:00:00Z") });
const standby = await openStandby(primary);
await standby.catchUp();

async function measureExport(ending: "csv" | "xlsx", databaseUrl: string) {
  const input: WriteInput = {
    databaseUrl,
    ending,
    withGifts: true,
    plan: await planExport(primary.database, { filter: noFilter, withGifts: true }),
    note: { person: "Bench", at: "2026-01-01T00:00:00+11:00", filter: [] },
  };
  const start = { at: performance.now(), primary: serverSeconds(primary.data), standby: serverSeconds(standby.data) };
  let bytes = 0;
  for await (const part of streamFromWorker({ module, run: "writeDonations", input })) bytes += part.length;
  return {
    seconds: (performance.now() - start.at) / 1000,
    primary: serverSeconds(primary.data) - start.primary,
    standby: serverSeconds(standby.data) - start.standby,
    bytes,
  };
}

try {
  const rows: string[][] = [];
  const places = [
    ["the database", primary.url],
    ["the replica", standby.url],
  ] as const;
  for (const ending of ["csv", "xlsx"] as const) {
    const rounds = places.map(([, url]) => ({ url, measured: [] as Awaited<ReturnType<typeof measureExport>>[] }));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { url, measured } of rounds) measured.push(await measureExport(ending, url));
    }
    rounds.forEach(({ measured }, index) => {
      const median = (of: (one: (typeof measured)[number]) => number) =>
        measured
          .map(of)
          .sort((a, b) => a - b)
          [Math.floor(ROUNDS / 2)]!.toFixed(2);
      rows.push([
        ending,
        places[index]![0],
        median(({ primary: cpu }) => cpu),
        median(({ standby: cpu }) => cpu),
        median(({ seconds }) => seconds),
        median(({ bytes }) => bytes / 2 ** 20),
      ]);
    });
  }
  printColumns([["export", "read from", "CPU s of the database", "CPU s of the replica", "seconds", "MB"], ...rows]);
} finally {
  await standby.remove();
  await primary.stop();
}
