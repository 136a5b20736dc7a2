import type { FastifyInstance } from "fastify";
import { mount } from "#shared/http/mount.ts";
import { sendMessageCall } from "../contract.ts";
import { type ContactServices, receiveMessage } from "./contact.ts";

/** The contact form's call, mounted below /api. */
export function contactRoutes(app: FastifyInstance, services: ContactServices) {
  mount(app, sendMessageCall, async ({ body }, request) => receiveMessage(services, body, request.ip));
}
