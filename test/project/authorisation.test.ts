import { randomUUID } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeAttempt, makeDonation, makePasskey } from "#database/factories.ts";
import { makeTicketEvent } from "#database/ticket-factories.ts";
import { addressKey } from "#features/accounts/server/codes.ts";
import { issueReceipt } from "#features/donations/server/receipt.ts";
import { signPath } from "#shared/http/signed-link.ts";
import type { DocumentKind } from "#shared/links/contract.ts";
import { documentKey } from "#shared/links/document-links.ts";
import { receiptPath } from "#shared/paths.ts";
import { collectRoutes } from "../collect-routes.ts";
import { isLongRun } from "../long-run.ts";
import { openMember } from "../member.ts";
import type { Visitor } from "../site.ts";
import { insertOrder, insertTicketPayment, insertTickets } from "../ticket-rows.ts";
import { makeApplication } from "../volunteer-rows.ts";
import { listCalls } from "../wire.ts";
import { matrix } from "./authorisation-matrix.ts";
import type { AuthorisationRow, Belongings } from "./authorisation-rows.ts";
import { openWholeSite, type WholeSite } from "./whole-site.ts";

let site: WholeSite;
let amina: Person;
let bilal: Person;
let nobodys: Belongings;
beforeAll(async () => {
  site = await openWholeSite({ LIMITS_MESSAGES: "1000", LIMITS_LOGINS: "1000", LIMITS_LOGINS_PER_ADDRESS: "1000" });
  [amina, bilal] = [await openPerson(), await openPerson()];
  nobodys = belong(
    { id: 999_999_999, email: "nobody@example.com" },
    {
      donationId: randomUUID(),
      paymentId: randomUUID(),
      applicationId: randomUUID(),
      paidOrder: randomUUID(),
      heldOrder: randomUUID(),
      ticketId: randomUUID(),
      passkeyId: randomUUID(),
      waitingEntry: randomUUID(),
    },
  );
});
afterAll(() => site.close());

type Person = { readonly visitor: Visitor; readonly has: Belongings };

/** A member with a paid donation, its receipt, an application to volunteer, and the link that confirms the address. */
async function openPerson(): Promise<Person> {
  const { id, email, visitor } = await openMember(site);
  const donationId = await makeDonation(site.database, { donation: { user_id: id, email } });
  const at = site.clock.now();
  const paymentId = await makeAttempt(site.database, donationId, { state: "succeeded", sent_at: at, settled_at: at });
  await site.database
    .transaction()
    .execute((transaction) => issueReceipt(transaction, donationId, site.services.organisation.current(), at));
  const { rows } = await site.pool.query("select reference from donations where id = $1", [donationId]);
  const applicationId = await makeApplication(site.database, { email });
  const { reference } = rows[0];
  const orders = await makeOrders(email);
  const passkeyId = await makePasskey(site.database, id);
  return {
    visitor,
    has: belong({ id, email }, { donationId, paymentId, applicationId, reference, passkeyId, ...orders }),
  };
}

/** A paid order of one ticket, and a held order of one VIP seat. */
async function makeOrders(email: string) {
  const { eventId: id, slug, types } = await makeTicketEvent(site.database);
  const event = { id, slug, vip: types.vip!, standard: types.standard! };
  const paidOrder = await insertOrder(site.database, event, { order: { email }, vip: 0, standard: 1 });
  const [ticket] = await insertTickets(site.database, paidOrder);
  await insertTicketPayment(site.database, paidOrder);
  const order = { state: "held", email: null, paid_at: null } as const;
  const holdUntil = new Date(site.clock.now().getTime() + 900_000);
  const heldOrder = await insertOrder(site.database, event, {
    order: { ...order, hold_until: holdUntil },
    vip: 1,
    standard: 0,
  });
  await site.pool.query(
    "update ticket_types set sold = sold + (code = 'standard')::int, held = held + (code = 'vip')::int where event_id = $1",
    [id],
  );
  const waitingEntry = randomUUID();
  await site.pool.query(
    `insert into waiting_entries (id, event_id, type_id, quantity, email, first_name, last_name, joined_at)
     values ($1, $2, $3, 1, $4, 'Amina', 'Raza', $5)`,
    [waitingEntry, id, types.vip!, email, site.clock.now()],
  );
  return { paidOrder, heldOrder, ticketId: ticket!.id, waitingEntry };
}

type Has = {
  readonly donationId: string;
  readonly paymentId: string;
  readonly applicationId: string;
  readonly reference?: string;
  readonly paidOrder: string;
  readonly heldOrder: string;
  readonly ticketId: string;
  readonly waitingEntry: string;
  readonly passkeyId: string;
};

function belong(
  { id, email }: { id: number; email: string },
  { paidOrder, heldOrder, ticketId, waitingEntry, ...has }: Has,
): Belongings {
  const { secretKey } = site.config;
  const [now, summary] = [site.clock.now(), `/donation-summaries/${id}/2026-01-01/2099-12-31`];
  const keyTo = (kind: DocumentKind, of: string) => documentKey(site.config, { kind, id: of }, now);
  return {
    userId: id,
    email,
    addressKey: addressKey(secretKey, { id, email }, now),
    reference: "D-0000-0000-0000",
    ...has,
    tickets: { id: paidOrder, key: keyTo("ticket_order", paidOrder), ticketId },
    held: { id: heldOrder, key: keyTo("ticket_order", heldOrder) },
    waiting: { id: waitingEntry, key: keyTo("waiting_entry", waitingEntry) },
    applicationKey: keyTo("application", has.applicationId),
    receiptUrl: `${receiptPath(has.donationId)}?key=${keyTo("receipt", has.donationId)}`,
    summaryUrl: signPath(secretKey, summary, { madeAt: now, until: new Date(now.getTime() + 600_000) }),
  };
}

/** The log lines about forbidden access. */
const countNotes = () => site.lines.filter((line) => line.includes('"security":"not_own"')).length;

/** A person's stored data, to see whether any of it changes. */
async function fingerprint({ userId, applicationId, tickets, held }: Belongings): Promise<string> {
  const { rows } = await site.pool.query(
    `select (select to_json(users) from users where id = $1), (select json_agg(sessions order by id) from sessions where user_id = $1),
       (select json_agg(passkeys order by id) from passkeys where user_id = $1),
       (select json_agg(donations order by id) from donations where user_id = $1),
       (select to_json(volunteer_applications) from volunteer_applications where id = $2),
       (select json_agg(ticket_orders order by id) from ticket_orders where id in ($3, $4)),
       (select json_agg(tickets order by id) from tickets where order_id in ($3, $4))`,
    [userId, applicationId, tickets.id, held.id],
  );
  return JSON.stringify(rows);
}

type Target = "own" | "others" | "missing";
type Attempted = { readonly who: string; readonly target: Target; readonly by: Visitor; readonly of: Belongings };
type AttemptedRequest = Attempted & { readonly headers: Record<string, string>; readonly expected: string };

/** The other direction, Bilal against Amina's things, is left to the long run. */
const people = ["a visitor", "a guest", "Amina", ...(isLongRun ? ["Bilal"] : [])];

/** The faults of a row, as sentences; each person requests each kind of thing. */
async function checkRow(row: AuthorisationRow): Promise<string[]> {
  const guest = await site.visitor();
  const faults: string[] = [];
  const isOwned = row.others !== undefined;
  const targets: Target[] = [
    "own",
    ...(isOwned ? ["others" as const] : []),
    ...(row.missing ? ["missing" as const] : []),
  ];
  for (const target of targets) {
    for (const who of people) {
      const isMember = who === "Amina" || who === "Bilal";
      if (!isMember && target === "own" && isOwned) continue;
      const [one, other] = row.isLasting ? [await openPerson(), await openPerson()] : [amina, bilal];
      const [self, somebody] = who === "Bilal" ? [other, one] : [one, other];
      const of = target === "missing" ? nobodys : target === "own" ? self.has : somebody.has;
      const by = isMember ? self.visitor : guest;
      const expected = isMember ? row[target]! : row[who === "a visitor" ? "visitor" : "guest"];
      const asking = { who, target, by, of };
      const headers = who === "a visitor" ? {} : by.identity;
      if (isMember && !row.route.startsWith("GET ") && row.isExempt === undefined) {
        const { "x-xsrf-token": _, ...tokenless } = by.identity;
        faults.push(...(await checkRequest(row, { ...asking, headers: tokenless, expected: "403 csrf" })));
      }
      faults.push(...(await checkRequest(row, { ...asking, headers, expected })));
    }
  }
  return faults;
}

async function checkRequest(
  row: AuthorisationRow,
  { who, target, by, of, headers, expected }: AttemptedRequest,
): Promise<string[]> {
  const [method = "", path = ""] = row.route.split(" ");
  const { url = path, body, form, headers: more } = (await row.ask?.(of, by, site)) ?? {};
  const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
  const [notesBefore, before] = [countNotes(), target === "own" ? "" : await fingerprint(of)];
  const response = await site.app.inject({
    method: method as "POST",
    url,
    headers: { ...headers, ...(method === "GET" ? {} : { "content-type": type }), ...more },
    ...(method === "GET" ? {} : { payload: form ?? (Buffer.isBuffer(body) ? body : JSON.stringify(body ?? {})) }),
    remoteAddress: "203.0.113.7",
  });
  const got = outcomeOf(response);
  const about = `${row.route}: ${who} asks for ${target}`;
  const faults: string[] = [];
  const filled = expected.replace(/\{(\w+)\}/g, (_, name: keyof Belongings) => String(of[name]));
  const isAsExpected = expected.startsWith("30") ? got.startsWith(filled) : got === expected;
  if (!isAsExpected) faults.push(`${about}: ${got} instead of ${expected} (${response.body.slice(0, 120)})`);
  const isRefused = /^4/.test(got);
  if (target !== "own" && isRefused && (await fingerprint(of)) !== before) faults.push(`${about}: something changed`);
  const untold = [of.email, of.donationId].filter((secret) => !url.includes(secret));
  if (target === "others" && isRefused && untold.some((secret) => response.body.includes(secret))) {
    faults.push(`${about}: the refusal reveals it`);
  }
  const another = of === amina.has ? bilal.has : amina.has;
  if (
    target === "own" &&
    [another.email, another.reference, another.donationId].some((one) => response.body.includes(one))
  ) {
    faults.push(`${about}: the answer reveals another person`);
  }
  const isForbidden = got === "403 not_allowed" || got === "403";
  if (countNotes() - notesBefore !== (isForbidden ? 1 : 0)) {
    faults.push(
      `${about}: ${isForbidden ? "the forbidden access is not in the log" : "the log has a forbidden access"}`,
    );
  }
  return faults;
}

/** '403 csrf', '302 /login?return=…', '200'. */
function outcomeOf(response: { statusCode: number; headers: Record<string, unknown>; body: string }): string {
  const { statusCode, headers, body } = response;
  if (statusCode >= 300 && statusCode < 400) return `${statusCode} ${headers.location}`;
  const isEnvelope = statusCode >= 400 && String(headers["content-type"]).startsWith("application/json");
  return isEnvelope ? `${statusCode} ${JSON.parse(body).error}` : String(statusCode);
}

/** Routes without a row, and rows without a route. */
function compareRoutes(routes: readonly string[], rows: readonly AuthorisationRow[]): string[] {
  const named = new Set(rows.map(({ route }) => route));
  return [
    ...routes.filter((route) => !named.has(route)).map((route) => `${route} is not in the matrix`),
    ...[...named]
      .filter((route) => !routes.includes(route))
      .map((route) => `${route} is in the matrix, but not on the server`),
  ];
}

test("API-9: the matrix has exactly the routes of the server and the declared calls", async () => {
  expect(compareRoutes(site.routes, matrix)).toEqual([]);
  const calls = (await listCalls()).map(({ method, path }) => `${method} /api${path.replace(/\{(\w+)\}/g, ":$1")}`);
  expect(calls.filter((call) => !site.routes.includes(call))).toEqual([]);
  expect(site.routes.length).toBeGreaterThan(80);
});

test("API-8, API-9: each person gets what the matrix says from every route, and nobody changes another person's things", async () => {
  const faults: string[] = [];
  for (const row of matrix) faults.push(...(await checkRow(row)));
  expect(faults).toEqual([]);
});

test("API-9: negative control: the matrix fails for a missing route, an extra row and a wrong expectation", async () => {
  const planted = await collectRoutes(async () => {
    const app = Fastify();
    app.get("/api/all-users", async () => []);
    return app;
  });
  expect(compareRoutes([...site.routes, ...planted.routes], matrix)).toEqual([
    "GET /api/all-users is not in the matrix",
  ]);
  const gone: AuthorisationRow = { route: "POST /api/gone", visitor: "403 csrf", guest: "200", own: "200" };
  expect(compareRoutes(site.routes, [...matrix, gone])).toEqual([
    "POST /api/gone is in the matrix, but not on the server",
  ]);
  const find = matrix.find(({ route }) => route === "POST /api/user")!;
  expect(await checkRow(find)).toEqual([]);
  for (const lie of [
    { others: "200" },
    { missing: "404 not_found" },
    { visitor: "200" },
    { guest: "403 not_allowed" },
  ]) {
    expect(await checkRow({ ...find, ...lie }), JSON.stringify(lie)).not.toEqual([]);
  }
});

/** The queries that `work` sends to the database. */
async function listQueries(work: () => Promise<void>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    const texts = spy.mock.calls.map(([query]) => String((query as { text?: string }).text ?? query));
    return texts.filter((text) => !text.includes("pgboss"));
  } finally {
    spy.mockRestore();
  }
}

test("API-9: body, headers and database queries are the same for another person's id and an unknown one", async () => {
  const rows = matrix.filter(({ others = "", missing }) => others.startsWith("40") && missing !== undefined);
  expect(rows.filter(({ others, missing }) => others !== missing)).toEqual([]);
  expect(rows.length).toBeGreaterThan(20);
  // Reads the catalogue of this version of the content, which is kept from then on.
  await site.give(await site.visitor());
  for (const row of rows) {
    const [method, path = ""] = row.route.split(" ");
    const answers: { queries: string[] }[] = [];
    for (const of of [bilal.has, nobodys]) {
      const { url = path, body, headers: more } = (await row.ask?.(of, amina.visitor, site)) ?? {};
      const headers = { ...amina.visitor.identity, ...more, "content-type": "application/json" };
      const sent = method === "GET" ? {} : { payload: body as object };
      let answer: object = {};
      const queries = await listQueries(async () => {
        const {
          statusCode,
          headers: got,
          body,
        } = await site.app.inject({ method: method as "POST", url, headers, ...sent });
        const { date: _, ...rest } = got;
        answer = { statusCode, rest, body };
      });
      answers.push({ ...answer, queries });
    }
    expect(answers[0]!.queries, row.route).not.toEqual([]);
    expect(answers[1], row.route).toEqual(answers[0]);
  }
});

test("API-16: HEAD answers like GET on every path, without the body", async () => {
  const faults: string[] = [];
  for (const row of matrix.filter(({ route }) => route.startsWith("GET "))) {
    const { url = row.route.slice(4) } = (await row.ask?.(amina.has, amina.visitor, site)) ?? {};
    const request = { url, headers: amina.visitor.identity };
    const [got, head] = [await site.app.inject(request), await site.app.inject({ ...request, method: "HEAD" })];
    if (head.statusCode !== got.statusCode)
      faults.push(`${row.route}: ${head.statusCode} instead of ${got.statusCode}`);
    if (head.body !== "") faults.push(`${row.route}: a body of ${head.body.length}`);
    for (const name of ["content-type", "etag", "cache-control", "content-security-policy", "content-disposition"]) {
      if (head.headers[name] !== got.headers[name]) faults.push(`${row.route}: ${name} ${head.headers[name]}`);
    }
  }
  expect(faults).toEqual([]);
});

test("API-9: a site that takes real money has no developer routes", async () => {
  const { services } = site;
  const live = { ...services, config: { ...services.config, isDemo: false } };
  const { made, routes } = await collectRoutes(() => site.build(live));
  await made.close();
  expect(routes.filter((route) => route.includes("/dev/"))).toEqual([]);
  expect(site.routes.filter((route) => route.includes("/dev/")).length).toBeGreaterThan(3);
});
