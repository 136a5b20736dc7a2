import { afterAll, beforeAll, expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
let treasurer: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_BREAKER_PAYMENTS: "4", LIMITS_DECLINES: "1000" });
  treasurer = await site.logIn("treasurer");
});
afterAll(() => site.close());

const path = "/admin/reconciliation/payments";
const guard = "Cards are guarded until";

/** A card that the bank declines, from a network of its own. */
async function decline(network: number) {
  const visitor = await site.visitor(`198.51.${network}.7`);
  return (await site.give(visitor, { card: testCards.declined })).answer;
}

test("REC-37: staff see that cards are guarded, and end it; earlier declines no longer count, later ones do", async () => {
  expect((await treasurer.get(path)).html).not.toContain(guard);
  expect((await treasurer.post(`${path}/end-guard`)).html).toContain("Cards are not guarded any more.");
  for (let network = 1; network <= 4; network += 1) expect((await decline(network)).error).toBe("payment_declined");

  expect((await treasurer.get("/admin")).html).toContain("cards are guarded until");
  expect((await treasurer.get(path)).html).toContain(guard);
  const auditor = await site.logIn("auditor");
  expect((await auditor.get(path)).html).toContain(guard);
  for (const act of ["Take cards as usual now", "Telephone PayWay"]) {
    expect((await auditor.get(path)).html).not.toContain(act);
  }

  expect(await treasurer.post(`${path}/end-guard`)).toMatchObject({ status: 303, to: path });
  expect((await treasurer.get(path)).html).not.toContain(guard);
  const { rows } = await site.pool.query("select actor from audit_trail where verb = 'card-guard.end'");
  expect(rows).toEqual([{ actor: treasurer.name }]);
  // The earlier declines would still leave no room.
  site.clock.advance(2000);
  for (let network = 6; network <= 9; network += 1) {
    expect((await treasurer.get(path)).html).not.toContain(guard);
    expect((await decline(network)).error).toBe("payment_declined");
  }
  expect((await treasurer.get(path)).html).toContain(guard);
});
