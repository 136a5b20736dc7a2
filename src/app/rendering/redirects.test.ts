import Fastify from "fastify";
import { expect, test } from "vitest";
import { registerRedirects } from "./redirects.ts";

const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
registerRedirects(app);

test("NAV-2: the older address of the volunteer application leads for good to the one that is linked", async () => {
  for (const url of ["/volunteerApplication", "/volunteerApplication/", "/volunteerApplication?from=newsletter"]) {
    const { statusCode, headers } = await app.inject({ url });
    expect([statusCode, headers.location], url).toEqual([301, "/volunteer"]);
  }
});

test("PAGE-10: /.well-known/change-password leads to the page that changes a password", async () => {
  const { statusCode, headers } = await app.inject({ url: "/.well-known/change-password" });
  expect([statusCode, headers.location]).toEqual([302, "/change-password"]);
});
