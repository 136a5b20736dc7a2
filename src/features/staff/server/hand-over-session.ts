import type { FastifyReply, FastifyRequest } from "fastify";
import { knownDevices } from "#shared/sessions/known-devices.ts";
import type { StaffServices } from "./services.ts";

/** The browsers that each member of staff has logged in with. */
export const staffDevices = knownDevices({
  cookie: "staff-device",
  purpose: "known staff device",
  sameSite: "strict",
});

/** A session that has begun: its token, and the person's email. */
export type Admitted = { readonly token: string; readonly email: string };

/** Gives the browser its session, and remembers it as one of the person's. */
export function handOverSession(
  { config, staffSessions }: StaffServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, email }: Admitted,
): void {
  staffSessions.handOver(request, reply, token);
  staffDevices.remember(config, request, reply, email);
}
