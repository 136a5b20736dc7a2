import { z } from "zod";
import { notificationKinds } from "./braintree/books.ts";
import type { BraintreePart } from "./braintree/part.ts";
import type { Clock } from "./clock.ts";
import { type Call, json, type SimulatedAnswer } from "./exchange.ts";
import { FaultRule, type Faults } from "./faults.ts";
import { recordPast } from "./past.ts";
import { externalActs, type ProviderPart } from "./provider-part.ts";
import type { RequestLog } from "./requests.ts";
import type { Health } from "./running.ts";
import { fingerprint, type Settings } from "./settings.ts";

export type SimulationControls = {
  readonly parts: readonly ProviderPart[];
  readonly braintree: BraintreePart;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly requests: RequestLog;
};

const Advance = z.strictObject({ ms: z.int().min(0) });
const Adoption = z.strictObject({ ownerPid: z.int().min(1) });
const External = z.strictObject({
  do: z.enum(externalActs),
  transactionId: z.coerce.string(),
  amountCents: z.int().min(1).optional(),
});
const WantedNonce = z.strictObject({ kind: z.enum(["paypal", "card", "fault"]).default("paypal") });
const Url = z.url({ protocol: /^https?$/ });
/** The body of `POST /__sim/notify`. */
export const WantedNotification = z.strictObject({
  kind: z.enum(notificationKinds),
  transactionId: z.string(),
  url: Url,
  times: z.int().min(1).max(100).default(1),
  spoil: z.enum(["signature", "payload"]).optional(),
});
/** The body of `POST /__sim/notifications`. */
export const NotificationRule = z.strictObject({
  url: Url,
  copies: z.array(z.int().min(0).max(10)).min(1).default([1]),
  seed: z.int().default(1),
  latestMs: z.int().min(0).max(60_000).default(0),
});

let ownerPid = Number(process.env.SIMULATOR_OWNER_PID) || null;

/** Answers `/__sim/*`, the controls for tests and operators. An invalid body is a 400 that says why. */
export async function administer(
  call: Call,
  simulation: SimulationControls,
  settings: Settings,
  reset: () => void,
): Promise<SimulatedAnswer> {
  try {
    return (await actOnBraintree(call, simulation.braintree)) ?? act(call, simulation, settings, reset);
  } catch (error) {
    if (error instanceof z.ZodError) return json(400, { message: z.prettifyError(error) });
    if (error instanceof SyntaxError) return json(400, { message: "The body is not JSON." });
    throw error;
  }
}

function act(call: Call, simulation: SimulationControls, settings: Settings, reset: () => void): SimulatedAnswer {
  const { parts, clock, faults, requests } = simulation;
  switch (`${call.method} ${call.path.slice("/__sim".length)}`) {
    case "GET /health":
      return json(200, describeProcess(settings));
    case "POST /adopt":
      ownerPid = Adoption.parse(JSON.parse(call.body)).ownerPid;
      return json(200, describeProcess(settings));
    case "POST /reset":
      reset();
      return json(200, {});
    case "GET /ledger":
      return json(
        200,
        parts.flatMap((part) => part.rows()),
      );
    case "GET /requests":
      return json(200, requests.list());
    case "GET /faults":
      return json(200, faults.list());
    case "POST /faults":
      return json(201, { id: faults.install(FaultRule.parse(JSON.parse(call.body))) });
    case "DELETE /faults":
      faults.clear();
      return json(200, {});
    case "POST /advance":
      clock.advance(Advance.parse(JSON.parse(call.body)).ms);
      for (const part of parts) part.resolvePending();
      return json(200, { now: new Date(clock.now()).toISOString() });
    case "POST /past": {
      const [payway, part] = parts as readonly [ProviderPart, ProviderPart];
      return json(201, recordPast({ payway, braintree: part }, JSON.parse(call.body)));
    }
    case "POST /external":
      return actExternally(parts, External.parse(JSON.parse(call.body)));
    default:
      return json(404, { message: `There is no ${call.method} ${call.path}.` });
  }
}

/** The controls that only Braintree has: nonces and webhooks. Null for any other call. */
async function actOnBraintree(call: Call, { createNonce, findTransaction, notifications }: BraintreePart) {
  switch (`${call.method} ${call.path.slice("/__sim".length)}`) {
    case "POST /nonces":
      return json(201, { nonce: createNonce(WantedNonce.parse(JSON.parse(call.body)).kind) });
    case "POST /notify": {
      const wanted = WantedNotification.parse(JSON.parse(call.body));
      const transaction = findTransaction(wanted.transactionId);
      if (transaction === undefined) return json(404, { message: "No Braintree transaction has this id." });
      const { kind, url, times, spoil } = wanted;
      return json(200, { statuses: await notifications.send(kind, transaction, url, times, spoil) });
    }
    case "POST /notifications":
      notifications.sendChanges(NotificationRule.parse(JSON.parse(call.body)));
      return json(200, {});
    case "GET /notifications":
      return json(200, notifications.listSent());
    case "DELETE /notifications":
      notifications.sendChanges(null);
      return json(200, {});
    default:
      return null;
  }
}

function actExternally(parts: readonly ProviderPart[], wanted: z.infer<typeof External>): SimulatedAnswer {
  const holder = parts.find((part) => part.rows().some((row) => row.transactionId === wanted.transactionId));
  if (holder === undefined) return json(404, { message: "No transaction has this id." });
  const refusal = holder.actExternally(wanted);
  return refusal === null ? json(200, {}) : json(422, { message: refusal });
}

function describeProcess(settings: Settings): Health {
  return {
    program: "almoner-simulators",
    pid: process.pid,
    dataDir: settings.dataDir,
    fingerprint: fingerprint(settings),
    ownerPid,
  };
}
