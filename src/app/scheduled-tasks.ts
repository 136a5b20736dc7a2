import { applyRetention } from "#shared/retention/retention.ts";
import { backUpNightly } from "./backups/back-up-nightly.ts";
import { tidyArchive } from "./backups/tidy-archive.ts";
import { allFeatures, type ScheduledTask } from "./feature.ts";
import { listHoldings, rulesOf } from "./holdings.ts";
import type { Services } from "./services.ts";

/** The first run comes within this time, because the process may have missed runs while it was down. */
const FIRST_MS = 60_000;

/** Starts all scheduled tasks. Each has its own timer, so that a failing one doesn't delay the others. */
export function startScheduledTasks(services: Services): () => void {
  const rules = rulesOf(listHoldings(services));
  const tasks: readonly ScheduledTask[] = [
    ...allFeatures.flatMap((feature) => feature.scheduledTasks ?? []),
    // Often, so that a process restarted every hour still erases what is due.
    { name: "retention", every: "ten minutes", run: () => applyRetention(services, rules) },
    { name: "files to delete", every: "tick", run: ({ files }) => files.deleteUnneeded() },
    { name: "nightly backup", every: "ten minutes", run: backUpNightly },
    { name: "archive", every: "ten minutes", run: tidyArchive },
  ];
  const stops = tasks.map((task) => startScheduledTask(task, services));
  return () => stops.forEach((stop) => void stop());
}

/** Runs a task repeatedly, never concurrently. A failure is logged, and the task runs again at its next turn. */
export function startScheduledTask({ name, every, run }: ScheduledTask, services: Services): () => void {
  const { config, log } = services;
  const periodMs = { tick: config.payments.tickMs, "ten minutes": 600_000, hour: 3_600_000 }[every];
  let isBusy = false;
  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    await run(services).catch((error: unknown) =>
      log.warn({ err: error, task: name }, "a scheduled task failed; it will run again at its next turn"),
    );
    isBusy = false;
  };
  const first = setTimeout(work, Math.min(periodMs, FIRST_MS));
  const timer = setInterval(work, periodMs);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
