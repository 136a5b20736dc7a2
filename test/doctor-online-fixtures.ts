import type { DoctorContext } from "#app/doctor/check.ts";
import type { Fixtures } from "./doctor-fixtures.ts";
import { createDoctorServers } from "./doctor-servers.ts";

type Helpers = {
  readonly config: NonNullable<DoctorContext["config"]>;
  readonly withConfig: (changes: Partial<NonNullable<DoctorContext["config"]>>) => Partial<DoctorContext>;
  readonly withMachine: (changes: Partial<DoctorContext["machine"]>) => Partial<DoctorContext>;
};

/** The fixtures of checks that ask other machines: the mail server, the DNS, and the site at its address. */
export function createOnlineFixtures({ config, withConfig, withMachine }: Helpers) {
  const { certificate, openMailServer, openPage, openTls, close } = createDoctorServers();
  const inFront = async (port: Promise<number>, scheme = "http") =>
    withConfig({ publicUrl: `${scheme}://localhost:${await port}`, isDemo: false });
  const mailTo = async (password: string): Promise<Partial<DoctorContext>> =>
    withConfig({
      mail: {
        from: "Us <us@charity.example>",
        smtpUrl: `smtp://us:${password}@localhost:${await openMailServer()}`,
        dkimSelector: undefined,
      },
    });
  const lookingUp = (records: Record<string, string>, dkimSelector?: string): Partial<DoctorContext> => ({
    ...withConfig({ mail: { from: "Us <us@charity.example>", smtpUrl: "smtp://localhost", dkimSelector } }),
    lookUp: async (name) => {
      const found = records[name];
      if (found === undefined) throw Object.assign(new Error("none"), { code: "ENODATA" });
      return [[found]];
    },
  });
  const later = (ms: number) => async () => ({ now: () => new Date(Date.now() + ms) });
  const fixtures: Readonly<Record<string, Fixtures>> = {
    "machine.clock": {
      good: later(0),
      bad: [
        ["warn", later(10_000)],
        ["fail", later(-60_000)],
        ["note", async () => withConfig({ payway: { ...config.payway, url: "http://127.0.0.1:1/payway" } })],
      ],
    },
    "mail.server": {
      good: () => mailTo("letmein"),
      bad: [
        ["fail", () => mailTo("hunter2")],
        ["note", async () => ({})],
        ["fail", async () => withConfig({ isDemo: false })],
      ],
    },
    "mail.domain": {
      good: async () => lookingUp({ "charity.example": "v=spf1 -all", "_dmarc.charity.example": "v=DMARC1; p=none" }),
      bad: [
        ["warn", async () => lookingUp({ "charity.example": "v=spf1 -all" })],
        [
          "warn",
          async () =>
            lookingUp({ "charity.example": "v=spf1 -all", "_dmarc.charity.example": "v=DMARC1; p=none" }, "key1"),
        ],
      ],
    },
    "front.address": {
      good: () => inFront(openPage(200, {})),
      bad: [
        ["fail", () => inFront(openPage(503, {}))],
        ["fail", async () => withConfig({ publicUrl: "http://127.0.0.1:1", isDemo: false })],
        ["fail", () => inFront(openTls(), "https")],
      ],
    },
    "front.certificate": {
      good: async () => ({ ...(await inFront(openTls(), "https")), trusted: certificate }),
      bad: [
        ["fail", () => inFront(openTls(), "https")],
        [
          "warn",
          async () => ({
            ...(await inFront(openTls(), "https")),
            trusted: certificate,
            now: () => new Date("2125-12-20T00:00:00Z"),
          }),
        ],
        [
          "fail",
          async () => ({
            ...(await inFront(openTls(), "https")),
            trusted: certificate,
            now: () => new Date("2125-12-29T00:00:00Z"),
          }),
        ],
        ["warn", () => inFront(openPage(200, {}))],
        ["note", async () => withConfig({ publicUrl: "https://127.0.0.1:1" })],
      ],
    },
    // src/app/doctor/forwarded.test.ts asks the site itself, through proxies.
    "front.forwarded": {
      good: () => inFront(openPage(200, {}, '{"address":"203.0.113.9","protocol":"http"}')),
      bad: [
        ["note", () => inFront(openPage(200, {}, '{"status":"alive"}'))],
        ["fail", () => inFront(openPage(200, {}, '{"address":"192.0.2.77","protocol":"http"}'))],
        ["fail", () => inFront(openPage(200, {}, '{"address":"203.0.113.9","protocol":"https"}'))],
        [
          "warn",
          async () => ({
            ...(await inFront(openPage(200, {}, '{"address":"127.0.0.1","protocol":"http"}'))),
            ...withMachine({ findAddress: async () => "203.0.113.9" }),
          }),
        ],
      ],
    },
    "front.headers": {
      good: () => inFront(openPage(200, { "content-security-policy": "default-src 'self'" })),
      bad: [["fail", () => inFront(openPage(200, {}))]],
    },
  };
  return { fixtures, close };
}
