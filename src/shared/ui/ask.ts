import type { z } from "zod";
import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import type { Route } from "#shared/contract/route.ts";
import { renewToken, send } from "./send.ts";

/** Makes one call of the page's; a token against forged requests that is out of date is replaced once, without a word. */
export async function ask<
  Params extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  Query extends z.ZodType,
>(
  route: Route<Params, Body, Data, Query>,
  input: {
    params?: z.output<Params>;
    query?: z.output<Query>;
    body?: z.output<Body>;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer<z.output<Data>>> {
  const answer = await call(send, route, input);
  if (answer.ok || answer.error !== "csrf") return answer;
  await renewToken();
  return call(send, route, input);
}

/** What a person is told when a call was refused, or nobody answered it. */
export function sayRefusal({ status, message }: { status: number; message: string }): string {
  if (status === 0 || message === "") return "No answer came. Please check your connection and try again.";
  return message;
}
