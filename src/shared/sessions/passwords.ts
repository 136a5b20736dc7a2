import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { AppError } from "#shared/errors.ts";

/** argon2id, OWASP's second choice of parameters: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each hash takes 19 MiB and a core for about 20 ms; beyond this many, further ones are refused. */
const MAX_CONCURRENT = 32;

/** A hash that matches no password, so that an unknown email takes as long as a known one. */
const nobody = [
  `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}`,
  randomBytes(16).toString("base64").replaceAll("=", ""),
  randomBytes(32).toString("base64").replaceAll("=", ""),
].join("$");

let atOnce = 0;

/** @throws AppError `busy` if too many hashes are in progress. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(oneForm(password), parameters));
}

/** Takes as long without a hash, for an unknown email. @throws AppError `busy`. */
export function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  return inTurn(() => verify(kept ?? nobody, oneForm(password)));
}

/** Whether the hash was made with parameters other than the current ones. */
export function isOutdated(kept: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(kept);
  const isToday =
    memoryCost === parameters.memoryCost &&
    timeCost === parameters.timeCost &&
    parallelism === parameters.parallelism &&
    kept.startsWith("$argon2id$");
  return !isToday;
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (atOnce >= MAX_CONCURRENT) throw new AppError("busy");
  atOnce += 1;
  try {
    return await work();
  } finally {
    atOnce -= 1;
  }
}

/** Keyboards differ in how they compose the same character. */
const oneForm = (password: string) => password.normalize("NFC");
