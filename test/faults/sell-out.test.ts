import { afterAll, beforeAll, expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { countSeats, createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { simulateSale } from "./sale-simulation.ts";

// How far somebody can block a sale by holding seats and never paying.

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

const seats = (standard: number) => [{ type: "standard", quantity: standard }];
const heldOf = async (eventId: number) => {
  const { vip, standard } = await countSeats(site, eventId);
  return vip!.held + standard!.held;
};

test("SEC-5: fourteen calls from one address do not hold all 140 seats: ten seats without a captcha, and an eighth of what is left in all", async () => {
  const event = await makeTicketedEvent(site.database);
  const attackers = await Promise.all(Array.from({ length: 14 }, () => site.visitor("198.51.100.1")));
  const requests = [
    ...Array(12).fill({ type: "standard", quantity: 10 }),
    ...Array(2).fill({ type: "vip", quantity: 10 }),
  ];
  const answers = await Promise.all(
    attackers.map((one, nth) => createBuyer(site, one).hold(event.slug, [requests[nth]])),
  );
  expect(answers.filter(({ code }) => code === "200")).toHaveLength(1);
  expect(await heldOf(event.id)).toBe(10);
  for (const attacker of attackers) {
    const lines = seats(10);
    const { effort = 1 } = await createBuyer(site, attacker).hold(event.slug, lines);
    const captcha = await attacker.solveCaptcha("hold", effort);
    await createBuyer(site, attacker).hold(event.slug, lines, { captcha });
  }
  expect(await heldOf(event.id)).toBeLessThanOrEqual(20);
  const buyer = createBuyer(site, await site.visitor("203.0.113.50"));
  expect(await buyer.book(event.slug, seats(2))).toMatchObject({ answer: { code: "200" } });
});

test("SEC-5: addresses of one IPv6 /64 are one", async () => {
  const event = await makeTicketedEvent(site.database);
  const hold = async (address: string) => createBuyer(site, await site.visitor(address)).hold(event.slug, seats(10));
  expect((await hold("2001:db8:1:2::1")).code).toBe("200");
  expect(await hold("2001:db8:1:2:ffff::9")).toMatchObject({ code: "403", error: "captcha_dearer", effort: 4 });
  expect((await hold("2001:db8:1:3::1")).code).toBe("200");
});

longTest("SEC-5: many buyers behind one carrier's address buy in turn without a captcha, while they pay", async () => {
  const event = await makeTicketedEvent(site.database);
  for (let nth = 0; nth < 12; nth += 1) {
    const buyer = createBuyer(site, await site.visitor("203.0.113.9"));
    expect((await buyer.book(event.slug, seats(2))).answer.code).toBe("200");
  }
});

/** Holds seats as the page does, with a captcha if the answer asks for one. */
async function holdSolving(address: string, event: string, quantity: number) {
  const visitor = await site.visitor(address);
  const buyer = createBuyer(site, visitor);
  let answer = await buyer.hold(event, seats(quantity));
  for (let round = 0; round < 5 && answer.error === "captcha_dearer"; round += 1) {
    const captcha = await visitor.solveCaptcha("hold", answer.effort);
    answer = await buyer.hold(event, seats(quantity), { captcha });
  }
  return { buyer, answer };
}

longTest(
  "SEC-5: on the real server, 30 buyers behind 5 carriers get their seats although 10 attackers with free captchas held all of them first",
  async () => {
    const event = await makeTicketedEvent(site.database);
    // In turn, because what an address may hold depends on what the others hold at that moment.
    const attack = async () => {
      for (const quantity of [10, 4, 1, 10, 4, 1, 10, 4, 1]) {
        for (let nth = 0; nth < 10; nth += 1) await holdSolving(`198.51.100.${100 + nth}`, event.slug, quantity);
      }
    };
    const held: number[] = [];
    for (let wave = 0; wave < 4; wave += 1) {
      await attack();
      held.push((await countSeats(site, event.id)).standard!.held);
      if (wave < 3) site.clock.advance(15.5 * 60_000);
    }
    // An address that has used up its hour gets only the few seats left to each.
    expect(held[0]).toBeGreaterThan(100);
    expect(held[3]).toBeLessThanOrEqual(50);
    let served = 0;
    for (let nth = 0; nth < 30; nth += 1) {
      const { buyer, answer } = await holdSolving(`203.0.113.${nth % 5}`, event.slug, 2);
      if (answer.code === "200" && (await buyer.pay(answer.data)).answer.code === "200") served += 1;
    }
    expect(served).toBe(30);
  },
);

const sale = { capacity: 140, buyers: 70, carriers: 20, minutes: 60, cores: 8, seed: 20_261_122 };

longTest(
  "SEC-5: in a simulated sale with attackers at 1 and 10 addresses every buyer is served, and at 100 most are",
  () => {
    expect(simulateSale({ ...sale, attackers: 0 })).toMatchObject({ served: 1, atOnce: 1 });
    const [one, ten, hundred] = [1, 10, 100].map((attackers) => simulateSale({ ...sale, attackers }));
    expect(one!.served).toBe(1);
    expect(one!.blocked).toBeLessThan(0.1);
    expect(ten!.served).toBeGreaterThan(0.95);
    expect(hundred!.served).toBeGreaterThan(0.6);
  },
);

test("SEC-5: an attacker behind a carrier's address takes no more than a few of its buyers' seats", () => {
  expect(simulateSale({ ...sale, attackers: 1, isInside: true }).served).toBeGreaterThan(0.9);
});
