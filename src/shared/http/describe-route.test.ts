import swagger from "@fastify/swagger";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { z } from "zod";
import { accepted } from "#shared/contract/envelope.ts";
import { route } from "#shared/contract/route.ts";
import { describeRoute } from "./describe-route.ts";
import { mount } from "./mount.ts";

test("PERF-5: a call is described when OpenAPI is asked for, not at the start", async () => {
  let described = 0;
  const data = z.string();
  data._zod.toJSONSchema = () => {
    described += 1;
    return { type: "string" };
  };
  const app = Fastify();
  await app.register(swagger, { openapi: {} });
  const declared = route({ method: "GET", path: "/call", summary: "A call", data });
  mount(app, declared, async () => accepted("done"));
  await app.ready();
  expect(described).toBe(0);
  expect(describeRoute(declared).response[200]).toMatchObject({ properties: { data: { type: "string" } } });
  expect(described).toBe(1);
});
