import { readFileSync } from "node:fs";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "#shared/errors.ts";
import { findEventOfScreen } from "#shared/events/find-event.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { count } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { doorWorkerPath } from "#shared/paths.ts";
import { type DoorSync, MAX_SCANS } from "../../door-contract.ts";
import { findPhone, pairByCode } from "../../server/door/door-phones.ts";
import { syncDoor } from "../../server/door/sync-door.ts";
import { ticketKey } from "../../server/ticket-key.ts";

type Services = CoreServices<"database" | "now" | "organisation", "secretKey" | "publicUrl">;

const COOKIE = "door";
/** The pass itself ends earlier, after its event. */
const COOKIE_SECONDS = 90 * 86_400;
/** Wrong codes from one address in fifteen minutes. A code has 40 bits. */
const TRIES = { max: 20, windowSeconds: 900 };
const BODY_LIMIT = 64 * 1024;

const worker = readFileSync(new URL("./phone-worker.js", import.meta.url), "utf8");

/** The address of an event's door on a phone, by the id of the event's screen. */
export const phonePath = (screenId: number | string) => `/admin/door/${screenId}`;

/** The pass of a phone, sent to the door of its event only. */
export const passCookie = (
  path: string,
  pass: string,
  { publicUrl }: Services["config"],
): [string, string, CookieSerializeOptions] => [
  COOKIE,
  pass,
  { path, sameSite: "strict", httpOnly: true, secure: publicUrl.startsWith("https:"), maxAge: COOKIE_SECONDS },
];

const Pairing = z.object({ code: z.string().max(40) });

// Not in the contract, so that phones do without zod.
const Sync: z.ZodType<DoorSync> = z.object({
  scans: z
    .array(
      z.object({
        id: z.uuid(),
        serial: z.string().regex(/^[0-9a-f]{16}$/),
        undoes: z.uuid().nullable(),
        at: z.int(),
      }),
    )
    .max(MAX_SCANS),
  sentAt: z.int(),
  after: z.int().min(0),
  version: z.string().max(64),
});

/** What the phones at a door call. Their pass lets them in, not a session of staff. */
export const phoneRoutes = (services: Services) => (admin: FastifyInstance) => {
  const open = { config: { access: "everybody" as const }, schema: { hide: true } as object };
  void admin.register(async (door) => {
    door.addContentTypeParser("application/json", { parseAs: "string", bodyLimit: BODY_LIMIT }, (_, body, done) => {
      try {
        done(null, JSON.parse(String(body)));
      } catch {
        done(null, null);
      }
    });
    door.post("/admin/door/:event/pair", open, async (request, reply) => {
      const { code } = read(Pairing, request);
      const pass = await pair(services, request, code);
      if (pass === null) {
        return reply
          .code(403)
          .send({ problem: "This code does not work. Ask for a new one: it works for 15 minutes, once." });
      }
      return reply.setCookie(...passCookie(pathOf(request), pass, services.config)).send({});
    });
    door.post("/admin/door/:event/sync", open, async (request, reply) => {
      const sync = read(Sync, request);
      const answer = await syncPhone(services, request, sync);
      if (answer === null)
        return reply.code(401).send({ problem: "This phone is not paired with this door, or not any more." });
      return reply.send(answer);
    });
    door.get(doorWorkerPath, open, (_, reply) =>
      reply.type("text/javascript; charset=utf-8").header("cache-control", "no-cache").send(worker),
    );
    door.get("/admin/door/:event/manifest.webmanifest", open, (request, reply) =>
      sendManifest(services, request, reply),
    );
  });
};

const eventOf = ({ params }: FastifyRequest) => (params as { event: string }).event;
const pathOf = (request: FastifyRequest) => phonePath(eventOf(request));

function read<Schema extends z.ZodType>(schema: Schema, { body }: FastifyRequest): z.output<Schema> {
  const result = schema.safeParse(body);
  if (!result.success) throw new AppError("invalid_input");
  return result.data;
}

/** @throws AppError `too_many_tries` */
async function pair(
  { database, config, now }: Services,
  request: FastifyRequest,
  typed: string,
): Promise<string | null> {
  const at = now();
  const key = limitKey(config.secretKey, "door code", "address", request.ip);
  const refusal = await count(database, key, { ...TRIES, now: at });
  if (refusal !== null) throw new AppError("too_many_tries", refusal);
  const event = await findEventOfScreen(database, eventOf(request));
  if (event === null) return null;
  const wanted = { secretKey: config.secretKey, eventId: event.id, typed };
  return database.transaction().execute((transaction) => pairByCode(transaction, wanted, at));
}

async function syncPhone({ database, config, now }: Services, request: FastifyRequest, sync: DoorSync) {
  const pass = request.cookies[COOKIE];
  if (pass === undefined) return null;
  const at = now();
  const [phone, event] = await Promise.all([
    findPhone(database, pass, at),
    findEventOfScreen(database, eventOf(request)),
  ]);
  if (phone === null || event?.id !== phone.eventId) return null;
  const { publicKey } = ticketKey(config.secretKey);
  return syncDoor(database, phone, sync, { publicKey, now: at });
}

/** Lets the door be installed on a phone's home screen. */
function sendManifest({ organisation }: Services, request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request);
  const icon = (size: number) => ({ src: `/icons/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" });
  return reply.type("application/manifest+json").send({
    id: path,
    start_url: path,
    scope: path,
    display: "standalone",
    orientation: "portrait",
    name: `Door, ${organisation.current().name}`,
    short_name: "Door",
    background_color: "#0b1233",
    theme_color: "#0b1233",
    icons: [icon(192), icon(512)],
  });
}
