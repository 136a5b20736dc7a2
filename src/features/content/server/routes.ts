import type { FastifyInstance } from "fastify";
import { accepted } from "#shared/contract/envelope.ts";
import type { Database } from "#shared/database/connect.ts";
import { mount } from "#shared/http/mount.ts";
import type { Organisation } from "#shared/organisation.ts";
import { findHomeCall, listSiteInfoCall } from "../contract.ts";
import { findHome } from "./store.ts";

type ContentOptions = { readonly database: Database; readonly organisation: () => Organisation };

/** The content calls, to be registered under /api. */
export async function contentRoutes(app: FastifyInstance, { database, organisation }: ContentOptions): Promise<void> {
  mount(app, findHomeCall, async () => {
    const { chairmanMessages, causes, testimonials, news } = await findHome(database);
    return accepted({ chairmanMessages, causes, testimonials, news });
  });

  mount(app, listSiteInfoCall, async () => {
    const { phone, email, address } = organisation();
    return accepted([{ phone, email, address }]);
  });
}
