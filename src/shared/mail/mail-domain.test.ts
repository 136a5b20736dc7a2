import { expect, test } from "vitest";
import { domainOf, readMailDomain } from "./mail-domain.ts";

const failWith = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

test("SETUP-5: SPF and DMARC of the sender's domain are found, also in pieces, and DMARC also at the domain above", async () => {
  const records: Record<string, string[][]> = {
    "mail.charity.org.au": [["google-site-verification=1"], ["v=spf1 include:_spf.", "mail.example -all"]],
    "_dmarc.charity.org.au": [["v=DMARC1; p=none"]],
  };
  const lookUp = (name: string) => (records[name] ? Promise.resolve(records[name]) : failWith("ENOTFOUND"));
  const domain = domainOf("Our Charity <no-reply@Mail.charity.org.au>");
  expect(await readMailDomain(domain, lookUp)).toEqual({ domain: "mail.charity.org.au", spf: "found", dmarc: "found" });
  expect(await readMailDomain("other.org", lookUp)).toEqual({ domain: "other.org", spf: "missing", dmarc: "missing" });
});

test("SETUP-5: where the DNS cannot be asked, nothing is called missing", async () => {
  expect(await readMailDomain("charity.org.au", () => failWith("ETIMEOUT"))).toMatchObject({
    spf: "unknown",
    dmarc: "unknown",
  });
});
