import type { z } from "zod";
import { call } from "#shared/contract/call.ts";
import type { Answer } from "#shared/contract/envelope.ts";
import type { Route } from "#shared/contract/route.ts";
import { send } from "./send.ts";

/** Makes one call of the page's. */
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

/** What a person is told when a call was refused, or nobody answered it. */
export function sayRefusal({ status, message }: { status: number; message: string }): string {
  if (status === 0 || message === "") return "No answer came. Please check your connection and try again.";
  return message;
}
