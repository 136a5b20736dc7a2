import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { Page } from "#shared/pages/page.ts";
import { preparePages } from "./prepare-pages.ts";

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const page = (path: string, more: Partial<Page> = {}) => ({ path, ...more }) as Page;
const pages = [
  page("/"),
  page("/events"),
  page("/events/:slug"),
  page("/events/today"),
  page("/:slug-world"),
  page("/profile", { access: "member" }),
  page("/tickets", { caching: "none" }),
];

function open(paths: readonly string[], fail = () => false) {
  const app = Fastify();
  apps.push(app);
  const built: string[] = [];
  const prepareSoon = preparePages(app, {
    pages,
    listPaths: async () => paths,
    build: async ({ path: pattern }, path, { params }) => {
      if (fail()) throw new Error("the database is away");
      built.push([pattern, path, ...Object.values(params)].join(" "));
    },
  });
  return { app, built, prepareSoon };
}

test("REL-7: once the site listens, every public page is built before it is requested", async () => {
  const { app, built } = open([
    "/",
    "/events",
    "/events/dinner",
    "/events/today",
    "/chashma-world",
    "/profile",
    "/none",
  ]);
  await app.listen({ port: 0, host: "127.0.0.1" });
  await expect
    .poll(() => built)
    .toEqual([
      "/ /",
      "/events /events",
      "/events/:slug /events/dinner dinner",
      "/events/today /events/today",
      "/:slug-world /chashma-world chashma",
    ]);
});

test("REL-7: after a change they are built again; if that fails, the next change tries again", async () => {
  let isAway = true;
  let tries = 0;
  const { app, built, prepareSoon } = open(["/"], () => {
    tries += 1;
    return isAway;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  await expect.poll(() => tries).toBe(1);
  isAway = false;
  for (let change = 0; change < 5; change += 1) prepareSoon();
  await expect.poll(() => built).toEqual(["/ /"]);
  expect(tries).toBe(2);
});

test("REL-7: a closing site no longer builds pages", async () => {
  const { app, built, prepareSoon } = open(["/"]);
  await app.listen({ port: 0, host: "127.0.0.1" });
  await app.close();
  prepareSoon();
  expect(built).toEqual([]);
});
