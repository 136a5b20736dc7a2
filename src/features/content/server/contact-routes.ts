import type { FastifyInstance } from "fastify";
import { mount } from "#shared/http/mount.ts";
import type { Sessions } from "#shared/sessions/sessions.ts";
import { sendMessageCall } from "../contract.ts";
import { type ContactServices, receiveMessage } from "./contact.ts";

/** The contact form's call, mounted below /api. */
export function contactRoutes(app: FastifyInstance, services: ContactServices & { readonly sessions: Sessions }) {
  mount(app, sendMessageCall, async ({ body }, request) => {
    const userId = await services.sessions.findUserId(request);
    return receiveMessage(services, body, { address: request.ip, userId });
  });
}
