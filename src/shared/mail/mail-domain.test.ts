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
  expect(await readMailDomain(domain, undefined, lookUp)).toEqual({
    domain: "mail.charity.org.au",
    spf: "found",
    dkim: null,
    dmarc: "found",
  });
  expect(await readMailDomain("other.org", "s1", lookUp)).toEqual({
    domain: "other.org",
    spf: "missing",
    dkim: "missing",
    dmarc: "missing",
  });
});

test("DOC-5: the key of DKIM is found under its selector, unless it was taken back", async () => {
  const findKey = async (text: string) =>
    (
      await readMailDomain("charity.org.au", "s1", (name) =>
        name === "s1._domainkey.charity.org.au"
          ? Promise.resolve([[text.slice(0, 9), text.slice(9)]])
          : failWith("ENODATA"),
      )
    ).dkim;
  expect(await findKey("v=DKIM1; k=rsa; p=MIGfMA0GCSq")).toBe("found");
  expect(await findKey("p=MIGfMA0GCSq")).toBe("found");
  expect(await findKey("v=DKIM1; k=rsa; p=")).toBe("missing");
});

test("SETUP-5: where the DNS cannot be asked, nothing is called missing", async () => {
  expect(await readMailDomain("charity.org.au", "s1", () => failWith("ETIMEOUT"))).toMatchObject({
    spf: "unknown",
    dkim: "unknown",
    dmarc: "unknown",
  });
});
