import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { testCards, tokenise } from "#simulators/control.ts";
import { type PaywayFixture, startPaywayFixture } from "#test/payway-fixture.ts";

let fixture: PaywayFixture;
beforeAll(async () => {
  fixture = await startPaywayFixture();
});
afterEach(() => fixture.simulator.clearFaults());
afterAll(() => fixture.stop());

const path = "three-ds2-authentication";
const connect: PaywayFixture["connect"] = (changes) => fixture.connect({ authentication: { path }, ...changes });
const makeToken = (name: string, threeDS2 = true) =>
  tokenise(fixture.simulator.paywayUrl, { ...testCards.approved, name, threeDS2 });
const request = (instrument: string) => ({
  instrument,
  amountCents: 5250,
  currency: "AUD" as const,
  email: "donor@example.org",
});

describe("3-D Secure at PayWay", () => {
  test("DON-18: exists only while it is switched on", () => {
    expect(fixture.connect().authentication).toBeUndefined();
    expect(connect().authentication).toBeDefined();
  });

  test.each(["Y", "A", "C", "N", "R", "U"])(
    "DON-18: the bank's %s is read, immediately and when asked again",
    async (answer) => {
      const { authentication } = connect();
      const token = await makeToken(`3DS-${answer}`);
      expect(await authentication!.begin(request(token))).toBe(answer);
      expect(await authentication!.find(token)).toBe(answer);
    },
  );

  test("DON-18: a card that passed is charged with its authentication; asking did not use up the token", async () => {
    const token = await makeToken("3DS-Y");
    const payway = connect();
    expect(await payway.authentication!.begin(request(token))).toBe("Y");
    const charge = await fixture.prepareCharge({ instrument: token, isAuthenticated: true });
    expect(await payway.charge(charge)).toMatchObject({ kind: "succeeded" });
    const sent = (await fixture.simulator.listRequests()).findLast(({ op }) => op === "charge");
    expect(sent?.form).toMatchObject({ threeDS2: "true" });
  });

  test("DON-18: an unanswered challenge is not passed", async () => {
    const token = await makeToken("3DS-C");
    const payway = connect();
    await payway.authentication!.begin(request(token));
    const charge = await fixture.prepareCharge({ instrument: token, isAuthenticated: true });
    expect(await payway.charge(charge)).toMatchObject({ kind: "not_charged", mayRetry: false });
  });

  test("DON-18: a token that PayWay does not accept counts as refused, not as a failure", async () => {
    const { authentication } = connect();
    for (const token of ["", "../transactions", "4564710000000004", randomUUID(), await makeToken("x", false)]) {
      expect(await authentication!.begin(request(token)), token).toBe("R");
      expect(await authentication!.find(token), token).toBe("R");
    }
  });

  test.each(["hang_before", "reset_before", "error_500_before", "error_503", "html_200_after", "auth_401"] as const)(
    "DON-18: after %s there is no answer, and a sentence that says why",
    async (fault) => {
      const { authentication } = connect({ timeoutMs: 400 });
      const token = await makeToken("3DS-Y");
      for (const op of ["authenticate", "find_authentication"]) {
        await fixture.simulator.installFault({ match: { op }, do: fault });
      }
      await expect(authentication!.begin(request(token))).rejects.toThrow(/^3-D Secure gave no answer/);
      await expect(authentication!.find(token)).rejects.toThrow(/^3-D Secure gave no answer/);
    },
  );

  test("DON-18: a path that PayWay does not have is no answer", async () => {
    const { authentication } = connect({ authentication: { path: "somewhere-else" } });
    await expect(authentication!.begin(request(await makeToken("3DS-Y")))).rejects.toThrow(/HTTP 4\d\d/);
  });

  test.each([{ transStatus: "y" }, { transStatus: "X" }, {}, [], "Y"])("DON-18: %j is no answer", async (body) => {
    const url = await fixture.serve((_request, response) => response.end(JSON.stringify(body)));
    await expect(connect({ url }).authentication!.begin(request(randomUUID()))).rejects.toThrow(/can be read/);
  });
});
