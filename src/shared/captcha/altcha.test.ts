import { createChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { expect, test } from "vitest";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { altchaSecrets, createAltcha } from "./altcha.ts";

const secretKey = "a secret key of thirty-two characters";
const captcha = createAltcha({ cost: 1, secretKey });
const context = { action: "donate", address: "192.0.2.1", now: new Date() } as const;
const verify = (token: string | undefined, more: { now?: Date } = {}) => captcha.verify(token, { ...context, ...more });

async function solved({ now = new Date() } = {}) {
  return solveCaptcha(await captcha.createChallenge!({ action: "donate", effort: 1, now }));
}

type Payload = {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: Record<string, unknown>;
};
const decode = (token: string) => JSON.parse(Buffer.from(token, "base64").toString("utf8")) as Payload;
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString("base64");
const changed = (token: string, change: (payload: Payload) => void) => {
  const payload = decode(token);
  change(payload);
  return encode(payload);
};

test("DON-14: a solved captcha passes, with its challenge's nonce", async () => {
  const token = await solved();
  expect(await verify(token)).toEqual({ ok: true, nonce: decode(token).challenge.parameters.nonce, effort: 1 });
});

test("DON-14: solving takes milliseconds at the tests' cost", async () => {
  const before = process.cpuUsage();
  for (let round = 0; round < 20; round++) await solved();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000 / 20, "milliseconds of processor time for each").toBeLessThan(50);
});

test("API-12: a solved payload counts as one use, however it is written", async () => {
  const token = await solved();
  const first = await verify(token);
  const { challenge, solution } = decode(token);
  const rewritten = [
    changed(token, (payload) => Object.assign(payload.solution, { time: 999_999 })),
    changed(token, (payload) => Object.assign(payload.solution, { counter: 77, extra: "x" })),
    changed(token, (payload) => Object.assign(payload, { extra: "x" })),
    changed(token, (payload) => Object.assign(payload.challenge, { codeChallenge: { image: "" } })),
    encode({ solution, challenge: { signature: challenge.signature, parameters: reversed(challenge.parameters) } }),
    Buffer.from(JSON.stringify({ challenge, solution }, null, 2)).toString("base64"),
    Buffer.from(Buffer.from(token, "base64").toString("utf8").replace('"nonce"', '"\\u006eonce"')).toString("base64"),
    token.replaceAll(/(.{76})/g, "$1\r\n"),
    ` ${token}\n`,
  ];
  for (const other of rewritten) {
    expect(other).not.toBe(token);
    expect(await verify(other)).toEqual(first);
  }
});

function reversed(parameters: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(parameters).reverse());
}

test("API-12: a solver cannot change anything that the challenge signs", async () => {
  const token = await solved();
  const { nonce } = decode(token).challenge.parameters as { nonce: string };
  const changes: Record<string, unknown>[] = [
    { cost: 0 },
    { cost: 2 },
    { algorithm: "SHA-256" },
    { algorithm: "PBKDF2/SHA-512" },
    { nonce: nonce.toUpperCase() },
    { nonce: `${nonce}00` },
    { salt: "00" },
    { keyPrefix: "00" },
    { keyLength: 1 },
    { keySignature: "00" },
    { expiresAt: 9_999_999_999 },
    { data: { action: "register" } },
    { data: { action: "donate", effort: 1, more: 1 } },
    { data: { action: "donate", effort: 32 } },
    { data: { action: "donate" } },
    { memoryCost: 1 },
  ];
  for (const change of changes) {
    const forged = changed(token, ({ challenge }) => Object.assign(challenge.parameters, change));
    expect(await verify(forged), JSON.stringify(change)).toEqual({ ok: false, reason: "invalid" });
  }
  for (const name of ["data", "keySignature", "nonce"]) {
    const forged = changed(token, ({ challenge }) => delete challenge.parameters[name]);
    expect(await verify(forged), name).toEqual({ ok: false, reason: "invalid" });
  }
});

test("DON-14: an unsolved challenge, or one signed by another site, is refused", async () => {
  const mine = await solved();
  const other = await solved();
  const elsewhere = createAltcha({ cost: 1, secretKey: "another key of thirty-two characters" });
  const foreign = await solveCaptcha(
    await elsewhere.createChallenge!({ action: "donate", effort: 1, now: new Date() }),
  );
  const borrowed = changed(mine, (payload) => Object.assign(payload, { solution: decode(other).solution }));
  const unsolved = changed(mine, ({ solution, challenge }) =>
    Object.assign(solution, { derivedKey: String(challenge.parameters.keyPrefix).padEnd(64, "0") }),
  );
  for (const token of [foreign, borrowed, unsolved])
    expect(await verify(token)).toEqual({ ok: false, reason: "invalid" });
});

test("DON-14: nonsense and missing values are refused without an exception", async () => {
  const nonsense = ["x", "e30=", "bnVsbA==", "%%%", encode([]), encode({ challenge: {} }), "A".repeat(5000)];
  const { challenge } = decode(await solved());
  nonsense.push(
    encode({ challenge, solution: {} }),
    encode({ challenge, solution: { counter: -1, derivedKey: "zz" } }),
  );
  for (const token of nonsense) expect(await verify(token)).toEqual({ ok: false, reason: "invalid" });
  for (const token of [undefined, ""]) expect(await verify(token)).toEqual({ ok: false, reason: "missing" });
});

test("DON-14: a payload padded above four kilobytes is refused even if its solution is right", async () => {
  const padded = changed(await solved(), (payload) => Object.assign(payload, { padding: "x".repeat(4000) }));
  expect(await verify(padded)).toEqual({ ok: false, reason: "invalid" });
});

test("DON-14: a slow donor has twenty minutes", async () => {
  const now = new Date();
  const token = await solved({ now });
  const at = (minutes: number) => verify(token, { now: new Date(now.getTime() + minutes * 60_000) });
  expect(await at(19)).toMatchObject({ ok: true });
  expect(await at(21)).toEqual({ ok: false, reason: "expired" });
  const old = await solved({ now: new Date(now.getTime() - 21 * 60_000) });
  expect(await verify(old)).toEqual({ ok: false, reason: "expired" });
});

test("REL-10: only the given clock decides whether a captcha has expired, not the machine's", async () => {
  for (const hours of [1, -1]) {
    const now = new Date(Date.now() + hours * 3_600_000);
    const token = await solved({ now });
    expect(await verify(token, { now })).toMatchObject({ ok: true });
    expect(decode(token).challenge.parameters).not.toHaveProperty("expiresAt");
  }
});

test("API-12: a captcha solved for another call is refused", async () => {
  const challenge = await createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: 1,
    counter: 5,
    deriveKey,
    data: { action: "register", effort: 1, until: Date.now() + 60_000 },
    ...altchaSecrets(secretKey),
  });
  expect(await verify(await solveCaptcha(challenge))).toEqual({ ok: false, reason: "invalid" });
});

test("SEC-4: a harder captcha states its effort, takes more keys to solve, and costs no more to create", async () => {
  const challenge = await captcha.createChallenge!({ action: "donate", effort: 16, now: new Date() });
  expect(challenge).toMatchObject({ parameters: { cost: 1, data: { action: "donate", effort: 16 } } });
  const token = await solveCaptcha(challenge);
  expect(await verify(token)).toMatchObject({ ok: true, effort: 16 });
  expect(Number((decode(token).solution as { counter: number }).counter) % 16).toBe(0);
});
