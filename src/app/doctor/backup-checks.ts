import { formatNumber } from "#shared/language.ts";
import { type Check, configOf, fail, judge, note, ok, readRow, warn } from "./check.ts";

export const backupChecks: readonly Check[] = [
  {
    id: "backup.age",
    about: "A backup was taken last night (26 hours, 50 hours)",
    async run(context) {
      if (configOf(context).backup.folder === null) {
        return warn(
          "No backups are taken: BACKUP_DIR is not set.",
          "Set it, unless your database has backups of its own.",
        );
      }
      const { age } = await readRow<{ age: number | null }>(
        context,
        "select (extract(epoch from $1 - max(taken_at)) / 3600)::float8 as age from backups",
        [context.now()],
      );
      if (age === null) return warn("No backup was taken yet.", "The site takes one at night: BACKUP_HOUR.");
      const state = judge(age, { warn: 26, fail: 50 });
      const says = `The last backup was taken ${formatNumber(Math.round(age))} hours ago.`;
      if (state === null) return ok(says, { hours: age });
      return { state, says, does: "The site's log says why none was taken since.", facts: { hours: age } };
    },
  },
  {
    id: "backup.proof",
    about: "A backup was restored and read whole (8 days, 30 days)",
    async run(context) {
      const { backup } = configOf(context);
      if (backup.folder === null) return ok("No backups are taken, so none is proved.");
      if (backup.prove === "off") return note("Backups are not proved: BACKUP_PROVE=off.", "Restore one yourself.");
      const { days } = await readRow<{ days: number | null }>(
        context,
        "select (extract(epoch from $1 - max(proved_at)) / 86400)::float8 as days from backups",
        [context.now()],
      );
      if (days === null) return warn("No backup was proved yet.", "The site proves one a week.");
      const state = judge(days, { warn: 8, fail: 30 });
      const says = `A backup was last proved ${formatNumber(Math.round(days))} days ago.`;
      if (state === null) return ok(says, { days });
      return { state, says, does: "The site's log says why none was proved since.", facts: { days } };
    },
  },
  {
    id: "backup.archive",
    about: "Changes since the last backup are in the archive (15 minutes, an hour)",
    async run(context) {
      if (configOf(context).archiveDir === null) {
        return note(
          "No archive is kept: ARCHIVE_DIR is not set.",
          "With it, a backup can be brought forward to any moment.",
        );
      }
      // A server that has just started has had no time to copy anything.
      const { mode, minutes } = await readRow<{ mode: string; minutes: number }>(
        context,
        `select current_setting('archive_mode') as mode,
                (extract(epoch from clock_timestamp() - greatest(last_archived_time, pg_postmaster_start_time())) / 60)::float8
                  as minutes
           from pg_stat_archiver`,
      );
      if (mode === "off") {
        return fail(
          "The database runs without its archive.",
          "Restart every process of the site with ARCHIVE_DIR set.",
        );
      }
      const state = judge(minutes, { warn: 15, fail: 60 });
      const says = `The archive is at most ${formatNumber(Math.ceil(minutes))} minutes behind.`;
      if (state === null) return ok(says, { minutes });
      return {
        state,
        says: `The database last copied something to its archive ${formatNumber(Math.round(minutes))} minutes ago.`,
        does: "Look at the disk of ARCHIVE_DIR, and at postgres.log.",
        facts: { minutes },
      };
    },
  },
  {
    id: "backup.place",
    about: "Backups and the archive are on another disk than the data",
    async run(context) {
      const { backup, archiveDir, dataDir } = configOf(context);
      if (backup.folder === null) return ok("No backups are taken, so they need no disk.");
      const { readDevice } = context.machine;
      for (const { name, folder, what } of [
        { name: "BACKUP_DIR", folder: backup.folder, what: "backups" },
        { name: "ARCHIVE_DIR", folder: archiveDir, what: "archive" },
      ]) {
        if (folder === null) continue;
        const device = readDevice(folder);
        if (device === null) return warn(`The folder of the ${what} does not exist.`, `Create it, or correct ${name}.`);
        if (device === readDevice(dataDir)) {
          return warn(
            `The folder of the ${what} is on the same disk as the data: both are lost together.`,
            `Set ${name} to another disk.`,
          );
        }
      }
      return ok("What is needed to restore the data is on another disk than the data.");
    },
  },
];
