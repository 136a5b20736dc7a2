import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const SECRET = "siteverify-secret";

/** The adapter's requests. */
type SiteverifyCall = Record<string, string>;

/**
 * A fake captcha service for `CAPTCHA_VERIFY_URL`. The token's first word decides: `ok-…` passes, `dup-…` passes once,
 * `fail-…` does not pass, `host-…` and `action-…` were solved on another site or for another action, `slow-…` gets no
 * answer, `500-…` a server error, `garbage-…` a web page.
 */
export async function startSiteverify({ hostname = "127.0.0.1", action = "donate" } = {}) {
  const calls: SiteverifyCall[] = [];
  const seen = new Set<string>();

  function reply(call: SiteverifyCall): object | string | number | undefined {
    const { secret, response: token = "" } = call;
    const passed = { success: true, challenge_ts: "2026-11-21T00:00:00Z", hostname, action, "error-codes": [] };
    const failed = (code: string) => ({ success: false, "error-codes": [code] });
    if (secret !== SECRET) return failed("invalid-input-secret");
    switch (token.split("-")[0]) {
      case "ok":
        return passed;
      case "dup":
        if (seen.has(token)) return failed("timeout-or-duplicate");
        seen.add(token);
        return passed;
      case "host":
        return { ...passed, hostname: "elsewhere.example" };
      case "action":
        return { ...passed, action: "login" };
      case "500":
        return 500;
      case "garbage":
        return "<html>Sorry</html>";
      case "slow":
        return undefined;
      default:
        return failed("invalid-input-response");
    }
  }

  const server = createServer(async (request, response) => {
    const call = Object.fromEntries(new URLSearchParams(await text(request)));
    calls.push(call);
    const answer = reply(call);
    if (answer === undefined) return;
    if (typeof answer === "number") response.writeHead(answer).end();
    else if (typeof answer === "string") response.writeHead(200, { "content-type": "text/html" }).end(answer);
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    secret: SECRET,
    calls,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
