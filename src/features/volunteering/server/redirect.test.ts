import Fastify from "fastify";
import { expect, test } from "vitest";
import { redirectOlderAddress } from "./routes.ts";

test("NAV-2: the old address of the volunteer application redirects permanently to the new one", async () => {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  redirectOlderAddress(app);
  for (const url of ["/volunteerApplication", "/volunteerApplication/", "/volunteerApplication?from=newsletter"]) {
    const { statusCode, headers } = await app.inject({ url });
    expect([statusCode, headers.location], url).toEqual([301, "/volunteer"]);
  }
});
