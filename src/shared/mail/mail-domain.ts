import { Resolver } from "node:dns/promises";

/** Looks up the texts of a name in the DNS, each in its pieces. */
export type LookUpTexts = (name: string) => Promise<readonly (readonly string[])[]>;

/** Whether a domain has a record: `unknown` if nobody could be asked. */
export type RecordState = "found" | "missing" | "unknown";

/** What other mail servers read about the domain of a sender. `dkim` is null if nobody said which key to look for. */
export type MailDomain = {
  readonly domain: string;
  readonly spf: RecordState;
  readonly dkim: RecordState | null;
  readonly dmarc: RecordState;
};

/** The domain of a sender such as 'Our charity <no-reply@charity.org.au>'. */
export function domainOf(from: string): string {
  return /@([^\s@<>]+?)>?\s*$/.exec(from)?.[1]?.toLowerCase() ?? "";
}

/**
 * Asks for the records of SPF (RFC 7208), DMARC (RFC 7489) and, with a selector, DKIM (RFC 6376). Takes a few seconds at
 * most, and never throws.
 */
export async function readMailDomain(
  domain: string,
  dkimSelector: string | undefined,
  lookUp: LookUpTexts = askResolver(),
): Promise<MailDomain> {
  const [spf, dkim, dmarc] = await Promise.all([
    hasText(lookUp, domain, /^v=spf1(\s|$)/i),
    // A key that is empty was taken back.
    dkimSelector === undefined ? null : hasText(lookUp, `${dkimSelector}._domainkey.${domain}`, /(^|;)\s*p=\s*[\w+/]/),
    findDmarc(lookUp, domain.split(".")),
  ]);
  return { domain, spf, dkim, dmarc };
}

function askResolver(): LookUpTexts {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  return (name) => resolver.resolveTxt(name);
}

/** A domain without a record of its own takes that of the organisation's, which has at least two parts. */
async function findDmarc(lookUp: LookUpTexts, labels: readonly string[]): Promise<RecordState> {
  const own = await hasText(lookUp, `_dmarc.${labels.join(".")}`, /^v=DMARC1\s*(;|$)/i);
  return own !== "missing" || labels.length <= 2 ? own : findDmarc(lookUp, labels.slice(1));
}

async function hasText(lookUp: LookUpTexts, name: string, pattern: RegExp): Promise<RecordState> {
  try {
    const texts = await lookUp(name);
    return texts.some((pieces) => pattern.test(pieces.join(""))) ? "found" : "missing";
  } catch (error) {
    const { code } = error as { code?: string };
    return code === "ENODATA" || code === "ENOTFOUND" ? "missing" : "unknown";
  }
}
