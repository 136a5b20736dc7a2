import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "#admin/ui/icon.tsx";
import { DAY_MS } from "#shared/day-length.ts";
import { formatNumber, formatTime, plural } from "#shared/language.ts";
import type { Door, ReadyState } from "./door-session.ts";
import { keepFiles } from "./keep-files.ts";
import { openReader, readerFiles } from "./read-codes.ts";

type Props = {
  readonly door: Door;
  readonly state: ReadyState;
  readonly path: string;
  readonly onOpen: () => void;
};

type Check = { readonly isGood: boolean | null; readonly text: ReactNode };

/** What this phone can do, before anybody stands at the door. */
export function CheckView({ door, state, path, onOpen }: Props) {
  const checks = useChecks(state, path);
  const { list, phone } = state;
  return (
    <div className="door">
      <div className="door-page">
        <p className="door-small">Door: {phone}</p>
        <h1>
          <bdi>{list.event.title}</bdi>
        </h1>
        <ul className="door-checks" aria-label="What this phone can do">
          {checks.map(({ isGood, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of checks never changes its order
            <li key={index} className={isGood === false ? "is-bad" : undefined}>
              <Icon name={isGood === null ? "clock" : isGood ? "ok" : "alert"} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
        <button className="btn" type="button" onClick={onOpen}>
          Open the door
        </button>
        <button className="btn quiet" type="button" onClick={() => void door.sync()}>
          Update now
        </button>
        <p className="door-small">Leave the phone’s sound on: each answer has its own.</p>
      </div>
    </div>
  );
}

function useChecks(state: ReadyState, path: string): Check[] {
  const [isKept, setIsKept] = useState<boolean | null>(null);
  const [camera, setCamera] = useState<Check>({ isGood: null, text: "Looking for a camera…" });
  const [isVerifying, setIsVerifying] = useState<boolean | null>(null);
  useEffect(() => {
    const keep = async () => {
      const reads = await openReader().then(
        () => true,
        () => false,
      );
      setIsKept((await keepFiles(path, readerFiles).catch(() => false)) && reads);
    };
    void keep();
    void findCamera().then(setCamera);
  }, [path]);
  const { publicKey } = state.list;
  useEffect(() => {
    const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
    const imported = crypto.subtle?.importKey("jwk", jwk, "Ed25519", false, ["verify"]) ?? Promise.reject();
    imported.then(
      () => setIsVerifying(true),
      () => setIsVerifying(false),
    );
  }, [publicKey]);
  return [
    describeTickets(state),
    describeAnswer(state),
    camera,
    isKept === null
      ? { isGood: null, text: "Getting ready to work without a network…" }
      : isKept
        ? { isGood: true, text: "Works without a network" }
        : { isGood: false, text: "Does not open without a network: keep this page open" },
    isVerifying === false
      ? { isGood: false, text: "This browser is old: it cannot verify tickets that are sold while it has no network" }
      : { isGood: isVerifying, text: "Verifies codes by itself" },
  ];
}

function describeTickets({ list }: ReadyState): Check {
  const valid = list.tickets.filter(({ cancelledAt }) => cancelledAt === null).length;
  const text = plural(valid, { one: "1 valid ticket", other: `${formatNumber(valid)} valid tickets` });
  return { isGood: valid > 0, text: `${text} on this phone` };
}

const MINUTE_MS = 60_000;

function describeAnswer({ answeredAt, isOnline, clockOffset, list }: ReadyState): Check {
  const at = answeredAt === null ? "never" : formatTime(answeredAt, list.event.timeZone).toLowerCase();
  const lastUpdate = isOnline ? `Up to date at ${at}` : `No network. Last update: ${at}`;
  const off = Math.abs(clockOffset);
  if (off < 2 * MINUTE_MS) return { isGood: isOnline, text: lastUpdate };
  const by =
    off < DAY_MS
      ? plural(Math.round(off / MINUTE_MS), { one: "1 minute", other: `${Math.round(off / MINUTE_MS)} minutes` })
      : plural(Math.round(off / DAY_MS), { one: "1 day", other: `${Math.round(off / DAY_MS)} days` });
  return {
    isGood: false,
    text: `${lastUpdate}. This phone’s clock is wrong by ${by}; the door uses the site’s time, so nothing goes wrong`,
  };
}

async function findCamera(): Promise<Check> {
  if (navigator.mediaDevices === undefined) {
    return { isGood: false, text: "No camera at this address, which is not https. Use a scanner, or find names" };
  }
  const opened = await navigator.mediaDevices
    .getUserMedia({ video: { facingMode: "environment" } })
    .catch((error) => error);
  if (!(opened instanceof MediaStream)) {
    return (opened as Error).name === "NotAllowedError"
      ? { isGood: false, text: "The camera is blocked. Allow it in the browser’s settings for this site, then reload" }
      : { isGood: false, text: "No camera found. Use a scanner that types, or find names" };
  }
  for (const track of opened.getTracks()) track.stop();
  return { isGood: true, text: "The camera works" };
}
