import type { ServerResponse } from "node:http";
import type { SimulatedAnswer } from "./exchange.ts";
import type { Fault } from "./faults.ts";

const MAX_HANG_MS = 600_000;

type Delivery = {
  readonly fault: Fault | null;
  /** An HTTP error in the provider's format. */
  failure(status: number): SimulatedAnswer;
  /** Carries the call out; what it books stays booked, whatever happens to the answer. */
  work(): Promise<SimulatedAnswer>;
};

/**
 * Sends the answer, or breaks the exchange as the fault says: `…_before` faults replace the work, `…_after` faults come
 * after it. Returns the HTTP status that was sent, or null if none was.
 */
export async function deliver(response: ServerResponse, { fault, failure, work }: Delivery): Promise<number | null> {
  switch (fault?.do) {
    case "hang_before":
      return leaveHanging(response);
    case "reset_before":
      return reset(response);
    case "error_500_before":
      return writeResponse(response, failure(500));
    case "error_429":
    case "token_429":
      return writeResponse(response, withRetryAfter(failure(429)));
    case "error_503":
      return writeResponse(response, withRetryAfter(failure(503)));
    case "auth_401":
      return writeResponse(response, failure(401));
    case "script_404":
      return writeResponse(response, failure(404));
    default:
      return spoil(response, fault, failure, await work());
  }
}

function spoil(
  response: ServerResponse,
  fault: Fault | null,
  failure: Delivery["failure"],
  answer: SimulatedAnswer,
): number | null {
  switch (fault?.do) {
    case "hang_after":
      return leaveHanging(response);
    case "reset_after":
      return reset(response);
    case "error_500_after":
      return writeResponse(response, failure(500));
    case "malformed_after":
      return writeResponse(response, { ...answer, body: answer.body.slice(0, Math.ceil(answer.body.length / 2)) });
    case "html_200_after":
      return writeResponse(response, {
        status: 200,
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>Maintenance</title><h1>Back soon</h1>",
      });
    case "empty_201_after":
      return writeResponse(response, { status: 201, headers: answer.headers, body: "" });
    case "truncated_after":
      return truncate(response, answer);
    default:
      return writeResponse(response, answer);
  }
}

/** Sends the answer whole and returns its status. */
export function writeResponse(response: ServerResponse, answer: SimulatedAnswer): number {
  response.writeHead(answer.status, { ...answer.headers, "content-length": Buffer.byteLength(answer.body) });
  response.end(answer.body);
  return answer.status;
}

function withRetryAfter(answer: SimulatedAnswer): SimulatedAnswer {
  return { ...answer, headers: { ...answer.headers, "retry-after": "1" } };
}

function leaveHanging(response: ServerResponse): null {
  const end = setTimeout(() => response.destroy(), MAX_HANG_MS);
  end.unref();
  response.once("close", () => clearTimeout(end));
  return null;
}

function reset(response: ServerResponse): null {
  response.socket?.resetAndDestroy();
  return null;
}

function truncate(response: ServerResponse, answer: SimulatedAnswer): null {
  response.writeHead(answer.status, { ...answer.headers, "content-length": Buffer.byteLength(answer.body) });
  response.write(answer.body.slice(0, Math.ceil(answer.body.length / 2)), () => response.socket?.destroy());
  return null;
}
