import { afterAll, beforeAll, expect, test } from "vitest";
import { holdTickets } from "#features/tickets/server/hold/hold-tickets.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { countSeats, makeTicketedEvent } from "#test/ticket-buyer.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_TICKET_HOLDS: "1000000" });
});
afterAll(() => site.close());

/** Sixty people want the last ten seats at the same moment. */
async function rush() {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 10 } });
  const hold = (number: number): ReturnType<typeof holdTickets> =>
    holdTickets(
      site.services,
      { event: event.slug, lines: [{ type: "vip", quantity: 1 }] },
      { address: `198.51.100.${number}`, browser: undefined, idempotencyKey: undefined },
    ).catch((error: Error) => {
      // On a very busy machine some find no free connection within five seconds, and ask again as their browsers do.
      if (/timeout exceeded when trying to connect/.test(error.message)) return hold(number);
      throw error;
    });
  const answers = await Promise.allSettled(Array.from({ length: 60 }, (_, number) => hold(number)));
  const said = answers.filter((answer) => answer.status === "fulfilled").map(({ value }) => value);
  const held = said.filter(({ ok }) => ok).length;
  const refused = said.filter((reply) => !reply.ok && reply.problem === "seats_gone").length;
  return { held, refused, counted: (await countSeats(site, event.id)).vip!.held };
}

test("TIC-7: of sixty buyers of the last ten seats ten get them, and fifty are told that they did not", async () => {
  expect(await rush()).toEqual({ held: 10, refused: 50, counted: 10 });
});

/** Runs `work` without the lock on seats; nobody takes any before more than ten have read how many are left. */
async function withoutLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const { rows } = await site.pool.query("select pg_get_functiondef('lock_seats'::regproc) as text");
  await site.pool.query(`
    create or replace function lock_seats(of_event bigint) returns void language sql as '';
    create sequence readers;
    create function wait_for_readers() returns trigger language plpgsql as '
      begin
        perform nextval(''readers'');
        for try in 1..1000 loop
          exit when (select last_value from readers) > 10;
          perform pg_sleep(0.01);
        end loop;
        return null;
      end';
    create trigger wait_for_readers before update on ticket_types execute function wait_for_readers()`);
  return work().finally(() =>
    site.pool.query(`drop function wait_for_readers cascade; drop sequence readers; ${rows[0].text}`),
  );
}

test("without the lock the database still refuses to promise a seat twice", async () => {
  const { held, counted } = await withoutLock(rush);
  expect(held).toBeLessThanOrEqual(10);
  expect(counted).toBe(held);
});

test("negative control: without the lock and the constraint the same rush oversells", async () => {
  await site.pool.query("alter table ticket_types drop constraint ticket_types_never_oversold");
  try {
    expect((await withoutLock(rush)).held).toBeGreaterThan(10);
  } finally {
    await site.pool.query(
      "delete from ticket_order_lines; delete from ticket_orders; update ticket_types set held = 0",
    );
    await site.pool.query(
      "alter table ticket_types add constraint ticket_types_never_oversold check (sold >= 0 and held >= 0 and sold + held <= capacity)",
    );
  }
});
