import { z } from "zod";
import type { Clock } from "./clock.ts";
import { type Answer, type Call, json } from "./exchange.ts";
import { FaultRule, type Faults } from "./faults.ts";
import type { ProviderPart } from "./provider-part.ts";
import type { RequestLog } from "./requests.ts";
import type { Health } from "./running.ts";
import { fingerprint, type Settings } from "./settings.ts";

export type AdminHouse = {
  readonly parts: readonly ProviderPart[];
  readonly clock: Clock;
  readonly faults: Faults;
  readonly requests: RequestLog;
};

const Advance = z.strictObject({ ms: z.int().min(0) });
const Adoption = z.strictObject({ ownerPid: z.int().min(1) });
const External = z.strictObject({
  do: z.enum(["refund", "void", "accept", "cancel"]),
  transactionId: z.coerce.string(),
  amountCents: z.int().min(1).optional(),
});

let ownerPid = Number(process.env.SIMULATOR_OWNER_PID) || null;

/** Answers `/__sim/*`: the levers that tests and operators pull. A body that does not fit is a 400 that says why. */
export function administer(call: Call, house: AdminHouse, settings: Settings, reset: () => void): Answer {
  try {
    return act(call, house, settings, reset);
  } catch (error) {
    if (error instanceof z.ZodError) return json(400, { message: z.prettifyError(error) });
    if (error instanceof SyntaxError) return json(400, { message: "The body is not JSON." });
    throw error;
  }
}

function act(call: Call, house: AdminHouse, settings: Settings, reset: () => void): Answer {
  const { parts, clock, faults, requests } = house;
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
    case "POST /external":
      return actExternally(parts, External.parse(JSON.parse(call.body)));
    default:
      return json(404, { message: `There is no ${call.method} ${call.path}.` });
  }
}

function actExternally(parts: readonly ProviderPart[], wanted: z.infer<typeof External>): Answer {
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
