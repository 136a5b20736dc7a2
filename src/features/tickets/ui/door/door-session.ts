import {
  type Admissions,
  type DoorProblem,
  joinScans,
  judgeCode,
  judgeTicket,
  listAdmissions,
  listProblems,
  type Verdict,
} from "../../door.ts";
import { type DoorList, type DoorScan, type DoorSync, type DoorSyncAnswer, MAX_SCANS } from "../../door-contract.ts";
import { type Known, nothingKnown, openStore } from "./door-store.ts";

export type DoorState = Known & {
  readonly waiting: readonly DoorScan[];
  /** Null until the server has answered. */
  readonly isPaired: boolean | null;
  readonly isOnline: boolean;
  /** What phones could not know, as far as this one is concerned and nobody has looked into it. */
  readonly problems: readonly DoorProblem[];
  readonly admissions: Admissions;
};

/** A phone that can check tickets. */
export type ReadyState = DoorState & { readonly list: DoorList };

export type Door = Awaited<ReturnType<typeof openDoor>>;
/** The verdict on a code or a chosen ticket, and the scan that let somebody in, if any. */
export type JudgedScan = { readonly verdict: Verdict; readonly scanId: string | null };

const SYNC_EVERY_MS = 5000;
/** A network that does not answer within this time is none. */
const ANSWER_TIMEOUT_MS = 8000;
/** How long a person at the door waits for the other phones' scans. */
const OTHER_PHONES_WAIT_MS = 150;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const problemKey = ({ kind, serial, scans }: DoorProblem) => `${kind} ${serial} ${scans.length}`;

/**
 * A phone's part of the door. Every scan is on the phone's disk before anybody is told about it; the server gets it as
 * soon as there is a network.
 */
export async function openDoor(path: string) {
  const kept = await openStore(path);
  const { known, waiting } = await kept.read();
  let state = describe({ ...known, waiting, isPaired: null, isOnline: true });
  const listeners = new Set<() => void>();

  function change(changes: Partial<Omit<DoorState, "problems" | "admissions">>) {
    state = describe({ ...state, ...changes });
    for (const listener of listeners) listener();
  }

  const now = () => Date.now() + state.clockOffset;

  async function add(serial: string, undoes: string | null): Promise<string> {
    const scan = { id: crypto.randomUUID(), serial, undoes, at: now() };
    await kept.addWaiting(scan);
    change({ waiting: [...state.waiting, scan] });
    return scan.id;
  }

  /** Sends what waits and fetches what is new. False if the server did not answer. */
  async function exchange(): Promise<boolean> {
    const sent = state.waiting.slice(0, MAX_SCANS);
    const body: DoorSync = { scans: sent, sentAt: now(), after: state.after, version: state.list?.version ?? "" };
    const response = await post(`${path}/sync`, body);
    if (response?.status === 401) await endPass();
    else if (!response?.ok) change({ isOnline: false });
    if (!response?.ok) return false;
    const answer = (await response.json().catch(() => null)) as DoorSyncAnswer | null;
    if (answer === null) return false;
    await merge(answer, sent);
    return state.waiting.length === 0 || sent.length < MAX_SCANS || exchange();
  }

  /** Forgets the tickets and their holders: a phone may be somebody’s own. What waits is sent with another pass. */
  async function endPass() {
    const left = { ...withoutPass(state), phone: state.phone };
    change({ ...left, isPaired: false, isOnline: true });
    await kept.keep(left);
  }

  async function merge(answer: DoorSyncAnswer, sent: readonly DoorScan[]) {
    const next = joinAnswer(state, answer, sent);
    const sentIds = sent.map(({ id }) => id);
    await kept.keep(next, sentIds);
    const gone = new Set(sentIds);
    change({ ...next, waiting: state.waiting.filter(({ id }) => !gone.has(id)), isPaired: true, isOnline: true });
  }

  const sync = inTurn(() => exchange().catch(() => false));

  const asKnown = () => ({ list: state.list!, admissions: state.admissions });

  /** Lets somebody in, unless the server’s answer says that their ticket was cancelled, or is in already. */
  async function admit(serial: string): Promise<JudgedScan> {
    const scanId = await add(serial, null);
    await Promise.race([sync(), sleep(OTHER_PHONES_WAIT_MS)]);
    const verdict = judgeTicket(serial, asKnown());
    if (verdict.kind === "already" && verdict.scan.id === scanId) {
      return { verdict: { kind: "welcome", serial, ticket: verdict.ticket }, scanId };
    }
    await add(serial, scanId);
    void sync();
    return { verdict: judgeTicket(serial, asKnown()), scanId: null };
  }

  /** A full disk, or a browser that has closed its database, is told like a verdict: the next scan goes on. */
  const orNotKept = <Done>(work: Promise<Done>): Promise<Done | JudgedScan> =>
    work.catch(() => ({ verdict: { kind: "not_kept" }, scanId: null }));

  async function takeCode(text: string): Promise<JudgedScan> {
    const verdict = await judgeCode(text, asKnown());
    const isUnlisted = verdict.kind === "not_listed" || (verdict.kind === "welcome" && verdict.ticket === null);
    if (!isUnlisted) return decide(verdict);
    await Promise.race([sync(), sleep(OTHER_PHONES_WAIT_MS)]);
    return decide(await judgeCode(text, asKnown()));
  }

  async function decide(verdict: Verdict): Promise<JudgedScan> {
    return verdict.kind === "welcome" ? admit(verdict.serial) : { verdict, scanId: null };
  }

  async function undo(serial: string, scanId: string): Promise<null> {
    await add(serial, scanId);
    void sync();
    return null;
  }

  return {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    sync,
    /** What the camera or a scanner read. */
    takeCode: (text: string) => orNotKept(takeCode(text)),
    /** Somebody who was found by name. */
    takeTicket: (serial: string) => orNotKept(decide(judgeTicket(serial, asKnown()))),
    /** Null if it is undone; otherwise what to tell. */
    undo: (serial: string, scanId: string): Promise<JudgedScan | null> => orNotKept(undo(serial, scanId)),
    async settle(problem: DoorProblem) {
      const settled = [...state.settled, problemKey(problem)];
      await kept.keep({ ...pickKnown(state), settled });
      change({ settled });
    },
    /** Null if paired; otherwise what to tell. */
    async pair(code: string): Promise<string | null> {
      const response = await post(`${path}/pair`, { code });
      if (!response?.ok) return describeNotPaired(response);
      // Another pass may be for other scans: everything is fetched anew. What waits is sent with the new pass.
      await kept.keep(withoutPass(state));
      change(withoutPass(state));
      return (await sync()) ? null : "The phone is paired, but the site does not answer. Try again.";
    },
  };
}

function describe(state: Omit<DoorState, "problems" | "admissions">): DoorState {
  const own = [...state.lost, ...state.waiting];
  const admissions = listAdmissions(joinScans(state.scans, own, state.phone));
  const found = state.list === null ? [] : listProblems({ list: state.list, admissions });
  const problems = found.filter(
    (problem) => problem.scans.some(({ isMine }) => isMine) && !state.settled.includes(problemKey(problem)),
  );
  return { ...state, admissions, problems };
}

/** What the phone knows once the server has answered to the scans that were sent. */
function joinAnswer(state: DoorState, answer: DoorSyncAnswer, sent: readonly DoorScan[]): Known {
  const { list, scans, after, clockOffset, settled, lost } = state;
  const knownIds = new Set(scans.map(({ id }) => id));
  return {
    list: answer.list ?? list,
    after: Math.max(after, answer.after),
    phone: answer.phone,
    settled,
    scans: [...scans, ...answer.scans.filter(({ id }) => !knownIds.has(id))],
    clockOffset: Math.abs(answer.now - Date.now() - clockOffset) > 2000 ? answer.now - Date.now() : clockOffset,
    answeredAt: answer.now,
    lost: [...lost, ...sent.filter(({ id }) => answer.unknown.includes(id))],
  };
}

/**
 * One run at a time, which never rejects. Calls before the next run has started share it, so that it takes along what
 * came in the meantime.
 */
function inTurn<Done>(run: () => Promise<Done>): () => Promise<Done> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Done> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const started = run();
      running = started;
      return started;
    });
    return next;
  };
}

/** Why a code did not pair the phone; null is no answer. */
function describeNotPaired(response: Response | null): string {
  if (response === null) return "The site does not answer. Check the phone’s network, and try again.";
  if (response.status === 429) return "Too many wrong codes. Wait 15 minutes, and ask for a new code.";
  return "This code does not work. Ask for a new one: it works for 15 minutes, once.";
}

/** The times of scans that wait are by the site's clock, so the difference stays. */
const withoutPass = ({ lost, clockOffset }: DoorState): Known => ({ ...nothingKnown, lost, clockOffset });

const pickKnown = ({ list, scans, after, phone, clockOffset, answeredAt, lost, settled }: DoorState): Known => ({
  list,
  scans,
  after,
  phone,
  clockOffset,
  answeredAt,
  lost,
  settled,
});

async function post(url: string, body: object): Promise<Response | null> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) };
  return fetch(url, init).catch(() => null);
}

/** Exchanges scans every few seconds, and as soon as the network is back or the phone is taken in hand. */
export function syncRegularly(door: Pick<Door, "sync">): () => void {
  const sync = () => void door.sync();
  const timer = setInterval(() => document.visibilityState === "visible" && sync(), SYNC_EVERY_MS);
  const events = [
    [window, "online"],
    [document, "visibilitychange"],
  ] as const;
  for (const [target, name] of events) target.addEventListener(name, sync);
  sync();
  return () => {
    clearInterval(timer);
    for (const [target, name] of events) target.removeEventListener(name, sync);
  };
}
