import { type DBSchema, openDB } from "idb";
import type { DoorList, DoorScan, KnownScan } from "../../door-contract.ts";

/** What a phone knows, as of its last answer from the server. */
export type Known = {
  readonly list: DoorList | null;
  readonly scans: readonly KnownScan[];
  readonly after: number;
  /** Where the phone stands. */
  readonly phone: string;
  /** The server's clock minus the phone's, in milliseconds. */
  readonly clockOffset: number;
  /** When the server answered last, by its clock. */
  readonly answeredAt: number | null;
  /** Scans that the server could not keep, because it does not have their ticket. */
  readonly lost: readonly DoorScan[];
  /** The problems that somebody has looked into on this phone. */
  readonly settled: readonly string[];
};

export const nothingKnown: Known = {
  list: null,
  scans: [],
  after: 0,
  phone: "",
  clockOffset: 0,
  answeredAt: null,
  lost: [],
  settled: [],
};

interface Schema extends DBSchema {
  known: { key: "known"; value: Known };
  /** Scans that the server does not have yet. */
  waiting: { key: string; value: DoorScan };
}

/** The phone's own database of one door. What is written is on the disk before the promise resolves. */
export async function openStore(path: string) {
  const database = await openDB<Schema>(`door ${path}`, 1, {
    upgrade(created) {
      created.createObjectStore("known");
      created.createObjectStore("waiting", { keyPath: "id" });
    },
  });
  return {
    async read() {
      const [known, waiting] = await Promise.all([database.get("known", "known"), database.getAll("waiting")]);
      return { known: known ?? nothingKnown, waiting: waiting.sort((a, b) => a.at - b.at) };
    },
    async addWaiting(scan: DoorScan) {
      const transaction = database.transaction("waiting", "readwrite", { durability: "strict" });
      await Promise.all([transaction.store.add(scan), transaction.done]);
    },
    /** Keeps what is known, and forgets the scans that need not wait any more, together. */
    async keep(known: Known, sent: readonly string[] = []) {
      const transaction = database.transaction(["known", "waiting"], "readwrite", { durability: "strict" });
      await Promise.all([
        transaction.objectStore("known").put(known, "known"),
        ...sent.map((id) => transaction.objectStore("waiting").delete(id)),
        transaction.done,
      ]);
    },
  };
}
