import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Call, json, type SimulatedAnswer } from "../exchange.ts";
import { refusal } from "./answers.ts";
import type { Books, Token } from "./books.ts";
import { frameAnswer } from "./frame.ts";
import { usableToken } from "./tokens.ts";

const Choice = z.enum(["confirm", "refuse"]);

/** The challenge frame's document for a token whose bank asked for one; for any other, one that reports an error. */
export function showChallenge(tokenId: string, books: Books): SimulatedAnswer {
  const html = readFileSync(new URL("browser/challenge-frame.html", import.meta.url), "utf8");
  if (waitingToken(tokenId, books) !== null) return frameAnswer("text/html", html);
  return frameAnswer("text/html", html.replace("<html ", "<html data-nothing-waits "));
}

/** The cardholder's answer to the bank. It is stored here, so that no message of a page can change it. */
export function answerChallenge(tokenId: string, { body }: Call, books: Books): SimulatedAnswer {
  const token = waitingToken(tokenId, books);
  const choice = Choice.safeParse(new URLSearchParams(body).get("choice"));
  if (token?.authentication == null || !choice.success) return refusal(422, "choice", "No challenge waits for this");
  const transStatus = choice.data === "confirm" ? "Y" : "N";
  books.keepToken({ ...token, authentication: { ...token.authentication, transStatus } });
  return json(200, { transStatus });
}

function waitingToken(tokenId: string, books: Books): Token | null {
  const token = usableToken(tokenId, books);
  return "status" in token || token.authentication?.transStatus !== "C" ? null : token;
}
