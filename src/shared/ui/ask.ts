import type { z } from "zod";
import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import type { Route } from "#shared/contract/route.ts";
import { send } from "./send.ts";

/** Makes a call from the page. Never throws: no answer is an `Answer` too, with status 0. */
export function ask<Params extends z.ZodType, Body extends z.ZodType, Data extends z.ZodType, Query extends z.ZodType>(
  route: Route<Params, Body, Data, Query>,
  input: {
    params?: z.output<Params>;
    query?: z.output<Query>;
    body?: z.output<Body>;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer<z.output<Data>>> {
  return call(send, route, input);
}

/** The data of one call. @throws Error with the message for the person if it was refused or not answered. */
export async function askFor<
  Params extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  Query extends z.ZodType,
>(...asked: Parameters<typeof ask<Params, Body, Data, Query>>): Promise<z.output<Data>> {
  const answer = await ask(...asked);
  if (answer.ok) return answer.data;
  throw new Error(describeRefusal(answer));
}

/** The message for a person when a call was refused or not answered. */
export function describeRefusal({ message }: { message: string }): string {
  if (message === "") return "We didn’t get an answer. Please check your connection and try again.";
  return message;
}
