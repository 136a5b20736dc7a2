import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Refusal } from "#admin/actions.ts";
import { type Actor, commandLine } from "#admin/audit.ts";
import { AppError } from "#shared/errors.ts";
import { openPeople } from "#test/people-fixture.ts";
import { refusals } from "./change-staff.ts";
import { changeRoles, endAccount, type Invited, invite, inviteAgain } from "./people.ts";
import { writePersonEmail } from "./people-emails.ts";

const now = () => new Date("2026-11-22T08:00:00Z");
let people: Awaited<ReturnType<typeof openPeople>>;
beforeAll(async () => {
  people = await openPeople(now);
});
afterAll(() => people.close());
beforeEach(() => people.endEverybody());

const site = () => people.processes[0]!;

const read = (id: number) =>
  people.db.database.selectFrom("staff").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const listActs = async (id: number) =>
  (
    await people.db.database
      .selectFrom("audit_trail")
      .selectAll()
      .where("subject", "=", "staff")
      .where("subject_id", "=", String(id))
      .orderBy("id")
      .execute()
  ).map(({ verb, actor, before, after, reason }) => ({ verb, actor, before, after, reason }));

const countAdministrators = async () =>
  (await people.db.pool.query("select 1 from staff where state = 'active' and 'administrator' = any(roles)")).rowCount;

/** The id of somebody whose invitation needs nobody’s approval. */
async function inviteAlone(actor: Actor, invited: Invited): Promise<number> {
  const changed = await invite(site(), actor, invited);
  if (!("staffId" in changed)) throw new Error("This waits for another administrator.");
  return changed.staffId;
}

/** The result of each of several concurrent calls: 'done', or why not. */
const outcome = (tried: PromiseSettledResult<unknown>) =>
  tried.status === "fulfilled" ? "done" : (tried.reason as Error).message;

test("STA-9: an invited person has an open invitation, which is recorded and emailed; administrators are told of a new administrator", async () => {
  const amina = await people.add("administrator");
  const invited = { email: "Tom.Nguyen@example.org", name: "Tom Nguyen", roles: ["auditor"] as const };
  const id = await inviteAlone(amina.actor, invited);
  expect(await read(id)).toMatchObject({ ...invited, state: "invited" });
  expect(await listActs(id)).toEqual([
    { verb: "staff.invite", actor: amina.name, before: null, after: { ...invited, state: "invited" }, reason: "" },
  ]);
  expect(people.sent).toMatchObject([{ template: "staff-invitation", staffId: id }]);

  people.sent.length = 0;
  await invite(site(), amina.actor, { email: "second@example.org", name: "Zoë Clark", roles: ["administrator"] });
  const told = people.sent.filter(({ template }) => template === "staff-administrator-added").map(({ toId }) => toId);
  expect(told).toEqual([amina.id]);
});

test("STA-9: two people never share an email, whatever its case and whoever invites at the same time", async () => {
  const { actor } = await people.add("administrator");
  const tries = await Promise.allSettled(
    ["one@example.org", "ONE@example.org", "One@Example.org", "one@EXAMPLE.ORG"].map((email, at) =>
      invite(people.processes[at % 2]!, actor, { email, name: `Person ${at}`, roles: ["auditor"] }),
    ),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const { reason } of tries.filter((one) => one.status === "rejected")) {
    expect(reason).toBeInstanceOf(AppError);
    expect((reason as AppError).fields?.email?.[0]).toMatch(/^Person \d already has an account with this email\.$/);
  }
});

test("STA-10: of administrators who end each other at the same time, one stays", async () => {
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = [await people.add("administrator"), await people.add("administrator")];
    const tries = await Promise.allSettled([
      endAccount(people.processes[0]!, one.actor, { id: other.id, reason: "Left" }),
      endAccount(people.processes[1]!, other.actor, { id: one.id, reason: "Left" }),
    ]);
    expect(tries.map(outcome).sort()).toEqual([refusals.actorChanged, "done"].sort());
    expect(await countAdministrators()).toBe(1);
    await people.db.pool.query("update staff set state = 'ended', ended_at = now() where state = 'active'");
  }
});

test("STA-10: if all administrators are ended, reset or demoted at the same time, one administrator is left", async () => {
  for (let round = 0; round < 8; round += 1) {
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => people.add("administrator")));
    await Promise.allSettled([
      endAccount(people.processes[0]!, a!.actor, { id: b!.id, reason: "Left" }),
      changeRoles(people.processes[1]!, b!.actor, { id: c!.id, roles: ["treasurer"] }),
      inviteAgain(people.processes[0]!, c!.actor, { id: d!.id }),
      endAccount(people.processes[1]!, d!.actor, { id: a!.id, reason: "Left" }),
      changeRoles(people.processes[0]!, commandLine, { id: a!.id, roles: ["auditor"] }),
      endAccount(people.processes[1]!, commandLine, { id: b!.id, reason: "Left" }),
      endAccount(people.processes[0]!, commandLine, { id: c!.id, reason: "Left" }),
      endAccount(people.processes[1]!, commandLine, { id: d!.id, reason: "Left" }),
    ]);
    expect(await countAdministrators()).toBeGreaterThanOrEqual(1);
    await people.db.pool.query("update staff set state = 'ended', ended_at = now() where state = 'active'");
  }
});

test("STA-10: negative control: if the same two changes do not wait for each other, no administrator is left", async () => {
  const [one, other] = [await people.add("administrator"), await people.add("administrator")];
  const clients = await Promise.all([people.db.pool.connect(), people.db.pool.connect()]);
  const end = async (at: number, id: number) => {
    await clients[at]!.query("begin");
    const { rowCount } = await clients[at]!.query(
      "select 1 from staff where state = 'active' and 'administrator' = any(roles) and id <> $1",
      [id],
    );
    return () => {
      if (rowCount === 0) throw new Error(refusals.lastAdministrator);
      return clients[at]!.query("update staff set state = 'ended', ended_at = now() where id = $1", [id]);
    };
  };
  for (const finish of await Promise.all([end(0, one.id), end(1, other.id)])) await finish();
  for (const client of clients) {
    await client.query("commit");
    client.release();
  }
  expect(await countAdministrators()).toBe(0);
});

test("STA-10: the only administrator can be neither ended nor demoted, also by a command; a command may reset them", async () => {
  const { id } = await people.add("administrator", "treasurer");
  await people.add("treasurer");
  // Somebody who cannot log in yet does not count.
  await invite(site(), commandLine, { email: "new@example.org", name: "New", roles: ["administrator"] });
  await expect(endAccount(site(), commandLine, { id, reason: "Left" })).rejects.toThrow(refusals.lastAdministrator);
  await expect(changeRoles(site(), commandLine, { id, roles: ["treasurer"] })).rejects.toThrow(Refusal);
  expect(await countAdministrators()).toBe(1);
  await inviteAgain(site(), commandLine, { id });
  expect(await read(id)).toMatchObject({ state: "invited" });
});

test("STA-11: nobody changes their own roles, resets or ends themselves", async () => {
  const amina = await people.add("administrator");
  await people.add("administrator");
  const { id, actor } = amina;
  for (const change of [
    () => changeRoles(site(), actor, { id, roles: ["treasurer"] }),
    () => changeRoles(site(), actor, { id, roles: ["administrator", "treasurer"] }),
    () => inviteAgain(site(), actor, { id }),
    () => endAccount(site(), actor, { id, reason: "Tired" }),
  ]) {
    await expect(change()).rejects.toThrow(refusals.self);
  }
  expect(await read(id)).toMatchObject({ roles: ["administrator"], state: "active" });
  expect(await listActs(id)).toEqual([]);
});

test("STA-11: whoever has lost the right in the meantime changes nothing", async () => {
  const [amina, yusuf, peter] = [
    await people.add("administrator"),
    await people.add("administrator"),
    await people.add("treasurer"),
  ];
  const tries = await Promise.allSettled([
    changeRoles(people.processes[0]!, amina.actor, { id: yusuf.id, roles: ["auditor"] }),
    changeRoles(people.processes[1]!, yusuf.actor, { id: amina.id, roles: ["auditor"] }),
  ]);
  expect(tries.map(outcome).sort()).toEqual([refusals.actorChanged, "done"].sort());
  await expect(endAccount(site(), peter.actor, { id: amina.id, reason: "x" })).rejects.toThrow(refusals.actorChanged);
});

test("STA-12: other roles are recorded with those before, and the person is told", async () => {
  const [amina, yusuf] = [await people.add("administrator"), await people.add("treasurer")];
  await changeRoles(site(), amina.actor, { id: yusuf.id, roles: ["treasurer", "auditor"] });
  expect(await listActs(yusuf.id)).toEqual([
    {
      verb: "staff.change-roles",
      actor: amina.name,
      reason: "",
      before: { roles: ["treasurer"] },
      after: { roles: ["treasurer", "auditor"] },
    },
  ]);
  const email = await writePersonEmail(context(), people.sent[0] as never);
  expect(email?.subject).toBe("Your roles in the back office of Chashma have changed");
  expect(email?.text).toContain("Treasurer and Auditor");
  await expect(changeRoles(site(), amina.actor, { id: yusuf.id, roles: ["auditor", "treasurer"] })).rejects.toThrow(
    Refusal,
  );
});

async function addWaysToLogIn(id: number) {
  const at = now();
  await people.db.database
    .insertInto("staff_passkeys")
    .values({
      id: randomUUID(),
      staff_id: id,
      credential_id: randomUUID(),
      public_key: randomBytes(32),
      name: "Laptop",
      user_handle: "x",
      transports: [],
      counter: 0,
      created_at: at,
      last_used_at: null,
      blocked_at: null,
    })
    .execute();
  await people.db.database
    .insertInto("staff_recovery_codes")
    .values({ staff_id: id, code_hmac: randomBytes(32), used_at: null })
    .execute();
  await people.db.pool.query("update staff set password_hash = 'x', totp_secret = 'x', totp_step = 1 where id = $1", [
    id,
  ]);
  const request = { cookies: {}, ip: "203.0.113.7", headers: {} } as never;
  await site().staffSessions.begin(people.db.database, id, request);
}

async function countWaysToLogIn(id: number) {
  const { rows } = await people.db.pool.query(
    `select (select count(*)::int from staff_passkeys where staff_id = $1) as passkeys,
            (select count(*)::int from staff_recovery_codes where staff_id = $1) as codes,
            (select count(*)::int from staff_sessions where staff_id = $1) as sessions,
            (select count(*)::int from staff_invitations where staff_id = $1) as invitations,
            (select count(*)::int from staff where id = $1 and password_hash is not null) as passwords`,
    [id],
  );
  return rows[0];
}

test("STA-12: an account that ends loses passkeys, password, codes, sessions and invitations, and keeps its name", async () => {
  const [amina, yusuf] = [await people.add("administrator"), await people.add("treasurer")];
  await inviteAgain(site(), amina.actor, { id: yusuf.id });
  await addWaysToLogIn(yusuf.id);
  people.sent.length = 0;
  await endAccount(site(), amina.actor, { id: yusuf.id, reason: "Moved to Perth" });
  expect(await countWaysToLogIn(yusuf.id)).toEqual({
    passkeys: 0,
    codes: 0,
    sessions: 0,
    invitations: 0,
    passwords: 0,
  });
  expect(await read(yusuf.id)).toMatchObject({ name: yusuf.name, state: "ended", ended_at: now(), totp_step: null });
  expect((await listActs(yusuf.id)).at(-1)).toMatchObject({ verb: "staff.end", reason: "Moved to Perth" });
  expect(people.sent).toMatchObject([{ template: "staff-account-ended", toId: yusuf.id }]);
  expect((await writePersonEmail(context(), people.sent[0] as never))?.text).toContain(
    "Your name stays with what you did",
  );
  await expect(endAccount(site(), amina.actor, { id: yusuf.id, reason: "x" })).rejects.toThrow(refusals.alreadyEnded);
  await expect(inviteAgain(site(), amina.actor, { id: yusuf.id })).rejects.toThrow(refusals.ended);
});

test("STA-12: an invitation to the same email reopens an account that has ended, with new roles", async () => {
  const [amina, yusuf] = [await people.add("administrator"), await people.add("administrator")];
  await endAccount(site(), amina.actor, { id: yusuf.id, reason: "Left" });
  const { email } = await read(yusuf.id);
  const id = await inviteAlone(amina.actor, { email: email.toUpperCase(), name: "Yusuf D.", roles: ["auditor"] });
  expect(id).toBe(yusuf.id);
  expect(await read(id)).toMatchObject({ state: "invited", ended_at: null, roles: ["auditor"], name: "Yusuf D." });
});

test("STA-13: a reset removes passkeys, password and codes, invites again and tells all administrators; if nothing is set up yet, it only invites again", async () => {
  const [amina, claire, yusuf] = [
    await people.add("administrator"),
    await people.add("administrator"),
    await people.add("treasurer"),
  ];
  await addWaysToLogIn(yusuf.id);
  await inviteAgain(site(), amina.actor, { id: yusuf.id });
  expect(await countWaysToLogIn(yusuf.id)).toEqual({
    passkeys: 0,
    codes: 0,
    sessions: 0,
    invitations: 1,
    passwords: 0,
  });
  expect(people.sent.map(({ template, toId, staffId }) => [template, toId ?? staffId])).toEqual([
    ["staff-invitation", yusuf.id],
    ["staff-reset", amina.id],
    ["staff-reset", claire.id],
  ]);
  const email = await writePersonEmail(context(), people.sent[1] as never);
  expect(email?.text).toContain(`${amina.name} removed the passkeys, password and codes of ${yusuf.name}`);

  people.sent.length = 0;
  await inviteAgain(site(), amina.actor, { id: yusuf.id });
  expect(people.sent.map(({ template }) => template)).toEqual(["staff-invitation"]);
  expect((await countWaysToLogIn(yusuf.id)).invitations).toBe(1);
  expect((await listActs(yusuf.id)).map(({ verb }) => verb)).toEqual(["staff.reset", "staff.invite-again"]);
});

test("STA-13: nobody who has left is told about others", async () => {
  const [amina, claire, yusuf] = [
    await people.add("administrator"),
    await people.add("administrator"),
    await people.add("treasurer"),
  ];
  await inviteAgain(site(), amina.actor, { id: yusuf.id });
  const toClaire = people.sent.find(({ toId }) => toId === claire.id);
  await endAccount(site(), amina.actor, { id: claire.id, reason: "Left" });
  expect(await writePersonEmail(context(), toClaire as never)).toBeNull();
});

const context = () => ({
  database: people.db.database,
  config: {},
  sender: {
    publicUrl: "https://example.org",
    organisation: { name: "Chashma", abn: "", address: "", phone: "", email: "" } as never,
  },
});
