import type { FastifyInstance } from "fastify";
import type { Config } from "#shared/config/config.ts";
import type { Database } from "#shared/database/connect.ts";
import { mount } from "#shared/http/mount.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { sendLinkCall } from "./contract.ts";
import { sendFreshLink } from "./send-link.ts";

type Services = {
  readonly config: Pick<Config, "secretKey">;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly now: () => Date;
};

export function linkRoutes(app: FastifyInstance, services: Services): void {
  mount(app, sendLinkCall, ({ body }, request) => sendFreshLink(services, body, request.ip));
}
