import { formatNumber } from "#shared/language.ts";
import { type Check, configOf, fail, judge, NotChecked, note, ok, warn } from "./check.ts";

const MIN_NODE = 24;
const MIN_FILES = 4096;
const percent = (share: number) => `${Math.round(share * 100)} %`;

export const machineChecks: readonly Check[] = [
  {
    id: "machine.node",
    about: "Node is new enough",
    async run({ machine: { nodeVersion } }) {
      if (Number(nodeVersion.split(".")[0]) >= MIN_NODE) return ok(`Node ${nodeVersion} runs the site.`);
      return fail(
        `Node ${nodeVersion} is too old.`,
        `Run the site with Node ${MIN_NODE}: npm start does so by itself.`,
      );
    },
  },
  {
    id: "machine.zones",
    about: "Node knows Sydney's time, summer and winter",
    async run({ machine: { formatTime } }) {
      const known = [
        ["2026-07-01T00:00:00Z", "2026-07-01T10:00:00+10:00"],
        ["2026-10-03T16:30:00Z", "2026-10-04T03:30:00+11:00"],
      ] as const;
      const isRight = known.every(([at, wanted]) => formatTime(new Date(at)) === wanted);
      if (isRight) return ok("Node knows Sydney's time.");
      return fail(
        "Node's time of Sydney is wrong, so days and receipts would be too.",
        "Install Node with full ICU data.",
      );
    },
  },
  {
    id: "machine.clock",
    about: "This machine's clock agrees with PayWay's: within 2 seconds, at most 30",
    isOnline: true,
    async run(context) {
      const { paymentMode, payway } = configOf(context);
      if (paymentMode === "off") return ok("Payments are off, so PayWay's clock is not asked.");
      const before = context.now().getTime();
      const answer = await fetch(payway.url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(4000) })
        .then(({ headers }) => headers.get("date"))
        .catch(() => null);
      const middle = (before + context.now().getTime()) / 2;
      if (answer === null) return note("PayWay's clock could not be asked.", "See payments.payway.");
      // The header has whole seconds, cut off.
      const seconds = Math.max(0, Math.abs(middle - Date.parse(answer) - 500) / 1000 - 0.5);
      const state = judge(seconds, { warn: 2, fail: 30 });
      const facts = { seconds };
      if (state === null) return ok("This machine's clock is right.", facts);
      const says = `This machine's clock and PayWay's differ by ${formatNumber(Math.round(seconds))} seconds.`;
      return { state, says, does: "Have this machine set its time by NTP (timedatectl).", facts };
    },
  },
  {
    id: "machine.disk",
    about: "The disk of the data folder has room: 20 % free, at least 10 %",
    async run(context) {
      const { dataDir } = configOf(context);
      const { free, freeInodes } = await context.machine.readDisk(dataDir).catch((error: { code?: string }) => {
        throw error.code === "ENOENT" ? new NotChecked(`There is no folder ${dataDir} yet.`) : error;
      });
      const least = Math.min(free, freeInodes ?? 1);
      const facts = { freeShare: free, freeInodesShare: freeInodes };
      const state = judge(1 - least, { warn: 0.8, fail: 0.9 });
      if (state === null) return ok(`The disk of the data folder has ${percent(free)} free.`, facts);
      const what = least === free ? "of its space" : "of its files";
      const says = `The disk of the data folder has only ${percent(least)} ${what} left.`;
      return { state, says, does: "Free some, or move DATA_DIR to a larger disk.", facts };
    },
  },
  {
    id: "machine.memory",
    about: "Programs can still have 10 % of the memory",
    async run({ machine }) {
      const free = machine.readMemory();
      if (free === null) return note("This system does not say how much memory is left.", "Look at it yourself.");
      const facts = { freeShare: free };
      if (free >= 0.1) return ok(`${percent(free)} of the memory is free.`, facts);
      return warn(`Only ${percent(free)} of the memory is free.`, "Stop what else runs here, or add memory.", facts);
    },
  },
  {
    id: "machine.files",
    about: "A process may have enough files open",
    async run({ machine }) {
      const limit = machine.readFileLimit();
      if (limit === null) return note("This system does not say how many files may be open.", "Look at it yourself.");
      if (limit >= MIN_FILES) return ok(`A process may have ${limit} files open.`, { limit });
      return warn(
        `A process may have only ${limit} files open: many visitors at the same time would be refused.`,
        `Raise the limit to ${MIN_FILES} or more (LimitNOFILE in systemd).`,
        { limit },
      );
    },
  },
];
