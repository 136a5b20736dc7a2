import { formatNumber } from "#shared/language.ts";
import { type Check, configOf, judge, note, ok, readRow, warn } from "./check.ts";

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
    id: "backup.place",
    about: "Backups are on another disk than the data",
    async run(context) {
      const { backup, dataDir } = configOf(context);
      if (backup.folder === null) return ok("No backups are taken, so they need no disk.");
      const [device, own] = [context.machine.readDevice(backup.folder), context.machine.readDevice(dataDir)];
      if (device === null)
        return warn("The folder of the backups does not exist.", "Create it, or correct BACKUP_DIR.");
      if (device !== own) return ok("The backups are on another disk than the data.");
      return warn(
        "The backups are on the same disk as the data: both are lost together.",
        "Set BACKUP_DIR to another disk.",
      );
    },
  },
];
