import { connect } from "node:tls";
import { isLoopbackHost } from "#shared/config/config.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { signPath } from "#shared/http/signed-link.ts";
import { formatList, formatNumber, plural } from "#shared/language.ts";
import { type Check, configOf, type DoctorContext, fail, judge, note, ok, warn } from "./check.ts";

const TIMEOUT_MS = 4000;
const KEY_MS = 60_000;
/** An address of documentation (RFC 5737), which nobody has. */
const CLAIMED = "192.0.2.77";
const seeAddress = "See front.address.";
/** What connecting fails with before there is a certificate to judge. */
const unreached = new Set(["no answer", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]);

export const frontChecks: readonly Check[] = [
  {
    id: "front.address",
    about: "The site answers at `PUBLIC_URL`",
    isOnline: true,
    async run(context) {
      const { publicUrl, isDemo } = configOf(context);
      try {
        const { status } = await ask(`${publicUrl}/readyz`);
        if (status === 200) return ok("The site answers at its address.");
        return fail(`The site's address answers with ${status}.`, "Open /readyz there: it says why.", { status });
      } catch (error) {
        const { code = "" } = (error as { cause?: { code?: string } }).cause ?? {};
        if (/CERT|SIGNATURE|SSL|TLS/.test(code))
          return fail(`The certificate of the site's address is refused (${code}).`, "See front.certificate.");
        const says = "Nothing answers at PUBLIC_URL.";
        const does = "Start the site, or correct PUBLIC_URL, the proxy or the DNS.";
        return isDemo ? note(says, does) : fail(says, does);
      }
    },
  },
  {
    id: "front.certificate",
    about: "The certificate is valid for three weeks and more, and TLS is 1.2 or newer",
    isOnline: true,
    async run(context) {
      const url = new URL(configOf(context).publicUrl);
      if (url.protocol !== "https:") return plain(context);
      try {
        const { days, protocol } = await readCertificate(url, context);
        const state = judge(-days, { warn: -21, fail: -7 });
        const facts = { days, protocol };
        const wholeDays = Math.floor(days);
        const says = plural(wholeDays, {
          one: "The certificate is valid for 1 more day.",
          other: `The certificate is valid for ${formatNumber(wholeDays)} more days.`,
        });
        if (!/^TLSv1\.[23]$/.test(protocol))
          return fail(`The site's address speaks ${protocol}.`, "Allow TLS 1.2 and 1.3 only.", facts);
        if (state === null) return ok(says, facts);
        return { state, says, does: "Renew it; see why it was not renewed by itself.", facts };
      } catch (error) {
        const { code = "no answer" } = error as { code?: string };
        if (unreached.has(code))
          return note("Nothing answers at PUBLIC_URL, so its certificate is unknown.", seeAddress);
        return fail(`The certificate of the site's address is refused (${code}).`, "Renew it, with its whole chain.");
      }
    },
  },
  {
    id: "front.headers",
    about: "Our security policy and HSTS arrive through the proxy",
    isOnline: true,
    async run(context) {
      const { publicUrl } = configOf(context);
      const isSecure = publicUrl.startsWith("https:");
      const answer = await ask(publicUrl).catch(() => null);
      if (answer === null) return note("Nothing answers at PUBLIC_URL, so its headers are unknown.", seeAddress);
      const wanted = ["content-security-policy", ...(isSecure ? ["strict-transport-security"] : [])];
      const missing = wanted.filter((name) => !answer.headers.has(name));
      if (missing.length === 0) return ok("Our security headers arrive.");
      return fail(`The proxy loses ${formatList(missing, "and")}.`, "Have it pass on our headers as they are.");
    },
  },
  {
    id: "front.forwarded",
    about: "The proxy passes on visitors' addresses and `https`, and nobody can claim another address",
    isOnline: true,
    async run(context) {
      const { publicUrl } = configOf(context);
      const seen = await askHowWeLook(context);
      if (seen === null) {
        const says = "The site at PUBLIC_URL did not say how the doctor's request looks from there.";
        return note(says, "Start it in this version, and run the doctor with the same SECRET_KEY and clock.");
      }
      const { address, protocol } = seen;
      const facts = { protocol };
      const set = "Have the proxy set X-Forwarded-For and X-Forwarded-Proto, as in deploy/, and set TRUST_PROXY to it.";
      if (address === CLAIMED)
        return fail("Visitors can claim any address, and so get around every limit.", set, facts);
      if (!publicUrl.startsWith(`${protocol}:`))
        return fail(`The site takes requests of visitors for ${protocol}, unlike PUBLIC_URL.`, set, facts);
      const site = await context.machine.findAddress(new URL(publicUrl).hostname);
      if (isThisMachine(address) && !isThisMachine(site))
        return warn("The site takes its proxy for every visitor, so limits count all of them as one.", set, facts);
      return ok("Visitors' addresses reach the site, and nobody can claim another.", facts);
    },
  },
];

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { redirect: "manual", headers, signal: AbortSignal.timeout(TIMEOUT_MS) });

const isThisMachine = (address: string) => isLoopbackHost(address.replace(/^::ffff:/, ""));

/** How a request that claims another address looks to the site; null if it does not say. */
async function askHowWeLook(context: DoctorContext): Promise<{ address: string; protocol: string } | null> {
  const { publicUrl, secretKey } = configOf(context);
  const madeAt = context.now();
  const path = signPath(secretKey, "/healthz", { madeAt, until: new Date(madeAt.getTime() + KEY_MS) });
  try {
    const answer = await ask(publicUrl + path, { "x-forwarded-for": CLAIMED });
    const { address, protocol } = (await answer.json()) as { address?: unknown; protocol?: unknown };
    return typeof address === "string" && typeof protocol === "string" ? { address, protocol } : null;
  } catch {
    return null;
  }
}

function plain(context: DoctorContext) {
  const says = "PUBLIC_URL has no TLS, so there is no certificate.";
  return configOf(context).isDemo
    ? ok(says)
    : warn(says, "Put a proxy with a certificate before the site, and use https.");
}

/** The days that the certificate is still valid, and the version of TLS that the address speaks with us. */
function readCertificate(
  { hostname, port }: URL,
  { trusted, now }: DoctorContext,
): Promise<{ days: number; protocol: string }> {
  const address = { host: hostname, port: Number(port || 443), servername: hostname, timeout: TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, ...(trusted && { ca: trusted }) }, () => {
      const until = new Date(socket.getPeerCertificate().valid_to).getTime();
      resolve({ days: (until - now().getTime()) / DAY_MS, protocol: socket.getProtocol() ?? "no TLS" });
      socket.end();
    });
    socket.once("timeout", () => socket.destroy(Object.assign(new Error("no answer"), { code: "no answer" })));
    socket.once("error", reject);
  });
}
