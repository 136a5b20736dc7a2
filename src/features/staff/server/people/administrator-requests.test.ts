import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Actor, commandLine } from "#admin/audit.ts";
import { openPeople, type SentJob } from "#test/people-fixture.ts";
import { writeAdministratorEmail } from "./administrator-emails.ts";
import { findAdministratorRequest } from "./administrator-requests.ts";
import { refusals } from "./change-staff.ts";
import {
  approveAdministrator,
  decisionRefusals,
  declineAdministrator,
  withdrawAdministrator,
} from "./decide-administrator.ts";
import { changeRoles, endAccount, invite, inviteAgain } from "./people.ts";
import { writePersonEmail } from "./people-emails.ts";

const now = () => new Date("2026-11-22T08:00:00Z");
let people: Awaited<ReturnType<typeof openPeople>>;
beforeAll(async () => {
  people = await openPeople(now);
});
afterAll(() => people.close());
beforeEach(() => people.endEverybody());

const site = () => people.processes[0]!;

/** Two administrators, one of whom asked to make a treasurer the third. */
async function ask() {
  const [amina, yusuf, peter] = [
    await people.add("administrator"),
    await people.add("administrator"),
    await people.add("treasurer"),
  ];
  const changed = await changeRoles(site(), amina.actor, { id: peter.id, roles: ["treasurer", "administrator"] });
  if (!("requestId" in changed)) throw new Error("Nobody was asked.");
  return { amina, yusuf, peter, requestId: changed.requestId };
}

const rolesOf = async (id: number) =>
  (await people.db.database.selectFrom("staff").select("roles").where("id", "=", id).executeTakeFirstOrThrow()).roles;
const decisionOf = async (id: number) => (await findAdministratorRequest(people.db.database, id))?.decision;

/** The result of each of several concurrent calls: 'done', or why not. */
const outcome = (tried: PromiseSettledResult<unknown>) =>
  tried.status === "fulfilled" ? "done" : (tried.reason as Error).message;

const context = () => ({
  database: people.db.database,
  config: {},
  sender: {
    publicUrl: "https://example.org",
    organisation: { name: "Chashma", abn: "", address: "", phone: "", email: "" } as never,
  },
});
const read = (job: SentJob | undefined) => writeAdministratorEmail(context(), job as never);

test("STA-15: somebody who is promoted keeps their roles until another administrator approves, and all administrators are told", async () => {
  const { amina, yusuf, peter, requestId } = await ask();
  expect(await rolesOf(peter.id)).toEqual(["treasurer"]);
  expect(people.sent.map(({ template, toId }) => [template, toId])).toEqual([
    ["staff-administrator-asked", amina.id],
    ["staff-administrator-asked", yusuf.id],
  ]);
  const email = await read(people.sent[1]);
  expect(email?.subject).toBe(`${amina.name} asks to make ${peter.name} an administrator`);
  expect(email?.text).toContain(`https://example.org/admin/staff/requests/${requestId}`);

  const asked = people.sent.splice(0);
  await approveAdministrator(site(), yusuf.actor, requestId);
  expect(await rolesOf(peter.id)).toEqual(["treasurer", "administrator"]);
  expect(await decisionOf(requestId)).toBe("approved");
  expect(people.sent.map(({ template, toId }) => [template, toId])).toEqual([
    ["staff-roles-changed", peter.id],
    ["staff-administrator-added", amina.id],
    ["staff-administrator-added", yusuf.id],
  ]);
  const added = await writePersonEmail(context(), people.sent[1] as never);
  expect(added?.text).toContain(`${yusuf.name} made ${peter.name} an administrator`);
  expect(added?.text).toContain(`${amina.name} had asked for it.`);
  expect(await read(asked[1]), "it is decided").toBeNull();

  const { rows } = await people.db.pool.query(
    `select verb, actor from audit_trail where (subject, subject_id) in (('administrator', $1), ('staff', $2)) order by id`,
    [requestId, peter.id],
  );
  expect(rows.map(({ verb, actor }) => [verb, actor])).toEqual([
    ["administrator.request", amina.name],
    ["administrator.approve", yusuf.name],
    ["staff.change-roles", yusuf.name],
  ]);
});

test("STA-15: an invited administrator gets the invitation once another one approves; somebody who left comes back the same way", async () => {
  const [amina, yusuf] = [await people.add("administrator"), await people.add("administrator")];
  const invited = { email: "zoe@example.org", name: "Zoë Clark", roles: ["administrator"] as const };
  for (const round of ["new", "back"]) {
    people.sent.length = 0;
    const changed = await invite(site(), amina.actor, invited);
    expect(changed).toHaveProperty("requestId");
    expect(people.sent.map(({ template }) => template)).not.toContain("staff-invitation");
    if (!("requestId" in changed)) return;
    await approveAdministrator(site(), yusuf.actor, changed.requestId);
    expect(
      people.sent.map(({ template }) => template),
      round,
    ).toContain("staff-invitation");
    const zoe = await people.db.database
      .selectFrom("staff")
      .select(["id", "state", "roles"])
      .where("email", "=", invited.email)
      .executeTakeFirstOrThrow();
    expect(zoe).toMatchObject({ state: "invited", roles: ["administrator"] });
    await endAccount(site(), amina.actor, { id: zoe.id, reason: "Moved" });
  }
});

test("STA-15: the only administrator needs no approval, and neither does a command on the server", async () => {
  const [amina, peter] = [await people.add("administrator"), await people.add("treasurer")];
  expect(await changeRoles(site(), amina.actor, { id: peter.id, roles: ["administrator"] })).toEqual({
    staffId: peter.id,
  });
  // Now there are two.
  const email = `${randomUUID()}@example.org`;
  const roles = ["administrator"] as const;
  expect(await invite(site(), amina.actor, { email, name: "Tom", roles })).toHaveProperty("requestId");
  expect(await invite(site(), commandLine, { email, name: "Tom", roles })).toHaveProperty("staffId");
  const { rows } = await people.db.pool.query("select decision from administrator_requests where email = $1", [email]);
  expect(rows, "the command overtook the request").toEqual([{ decision: "overtaken" }]);
});

test("STA-15: whoever asked cannot approve or decline, only withdraw; nobody else can withdraw", async () => {
  const { amina, yusuf, peter, requestId } = await ask();
  await expect(approveAdministrator(site(), amina.actor, requestId)).rejects.toThrow(decisionRefusals.own);
  await expect(declineAdministrator(site(), amina.actor, { id: requestId, reason: "x" })).rejects.toThrow(
    decisionRefusals.own,
  );
  await expect(approveAdministrator(site(), peter.actor, requestId)).rejects.toThrow(refusals.actorChanged);
  await expect(approveAdministrator(site(), commandLine, requestId)).rejects.toThrow(decisionRefusals.own);
  await expect(withdrawAdministrator(site(), yusuf.actor, requestId)).rejects.toThrow(decisionRefusals.others);
  await expect(
    changeRoles(site(), yusuf.actor, { id: peter.id, roles: ["administrator"] }),
    "a second request would let each approve the other’s",
  ).rejects.toThrow(`${amina.name} has already asked`);
  await withdrawAdministrator(site(), amina.actor, requestId);
  await expect(approveAdministrator(site(), yusuf.actor, requestId)).rejects.toThrow(decisionRefusals.decided);
  expect(await rolesOf(peter.id)).toEqual(["treasurer"]);
});

test("STA-15: a declined request changes nothing, and all administrators read why", async () => {
  const { amina, yusuf, peter, requestId } = await ask();
  people.sent.length = 0;
  await declineAdministrator(site(), yusuf.actor, { id: requestId, reason: "He leaves in May" });
  expect(await rolesOf(peter.id)).toEqual(["treasurer"]);
  expect(people.sent.map(({ template, toId }) => [template, toId])).toEqual([
    ["staff-administrator-declined", amina.id],
    ["staff-administrator-declined", yusuf.id],
  ]);
  const text = (await read(people.sent[0]))?.text;
  expect(text).toContain(`${yusuf.name} declined it`);
  expect(text).toContain("He leaves in May");
});

test("STA-15: the database refuses one person on both sides, a second decision, and another request than was made", async () => {
  const { amina, yusuf, peter, requestId } = await ask();
  const decide = (decision: string, by: number | null, reason = "") =>
    people.db.pool.query(
      `update administrator_requests set decision = $2, decided_by = $3, decided_at = now(), decision_reason = $4
        where id = $1`,
      [requestId, decision, by, reason],
    );
  for (const by of [amina.id, peter.id, null]) {
    await expect(decide("approved", by), String(by)).rejects.toThrow("administrator_requests_two_people");
  }
  await expect(decide("declined", amina.id, "x")).rejects.toThrow("administrator_requests_two_people");
  await expect(decide("withdrawn", yusuf.id)).rejects.toThrow("administrator_requests_own");
  for (const change of ["roles = '{administrator,auditor}'", `requested_by = ${yusuf.id}`, "email = 'x@example.org'"]) {
    const statement = `update administrator_requests set ${change} where id = $1`;
    await expect(people.db.pool.query(statement, [requestId]), change).rejects.toThrow("append only");
  }
  await expect(
    people.db.pool.query(
      `insert into administrator_requests (staff_id, email, name, roles, requested_by, requested_at)
       values ($1, 'own@example.org', 'Own', '{administrator}', $1, now())`,
      [yusuf.id],
    ),
  ).rejects.toThrow("administrator_requests_for_others");
  // Negative control: a second person may.
  await decide("approved", yusuf.id);
  await expect(decide("declined", yusuf.id, "x")).rejects.toThrow("append only");
  await expect(people.db.pool.query("delete from administrator_requests")).rejects.toThrow();
});

test("STA-15: of simultaneous decisions in two processes one counts", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { yusuf, peter, requestId } = await ask();
    const claire = await people.add("administrator");
    const tries = await Promise.allSettled([
      approveAdministrator(people.processes[0]!, yusuf.actor, requestId),
      approveAdministrator(people.processes[1]!, claire.actor, requestId),
      declineAdministrator(people.processes[1]!, yusuf.actor, { id: requestId, reason: "No" }),
    ]);
    const { decided } = decisionRefusals;
    expect(tries.map(outcome).sort()).toEqual([decided, decided, "done"].sort());
    const { rows } = await people.db.pool.query(
      "select count(*)::int as many from audit_trail where verb = 'staff.change-roles' and subject_id = $1",
      [String(peter.id)],
    );
    expect(rows[0].many).toBe((await decisionOf(requestId)) === "approved" ? 1 : 0);
    await people.db.pool.query("update staff set state = 'ended', ended_at = now() where state <> 'ended'");
  }
});

test("STA-15: an approval at the same moment as a change of either account happens before it or not at all", async () => {
  type Asked = Awaited<ReturnType<typeof ask>>;
  const changes: Record<string, (asked: Asked, by: Actor) => Promise<unknown>> = {
    "whoever asked is ended": ({ amina }, by) => endAccount(people.processes[1]!, by, { id: amina.id, reason: "Left" }),
    "whoever asked is demoted": ({ amina }, by) =>
      changeRoles(people.processes[1]!, by, { id: amina.id, roles: ["auditor"] }),
    "whoever asked is reset": ({ amina }, by) => inviteAgain(people.processes[1]!, by, { id: amina.id }),
    "the person is ended": ({ peter }, by) => endAccount(people.processes[1]!, by, { id: peter.id, reason: "Left" }),
    "the person gets another role": ({ peter }, by) =>
      changeRoles(people.processes[1]!, by, { id: peter.id, roles: ["auditor"] }),
  };
  for (const [what, change] of Object.entries(changes)) {
    for (const order of ["approval first", "change first", "at once"]) {
      const asked = await ask();
      const { yusuf, peter, requestId } = asked;
      const { actor: by } = await people.add("administrator");
      const approve = () => approveAdministrator(people.processes[0]!, yusuf.actor, requestId);
      if (order === "approval first") await approve();
      if (order === "change first") await change(asked, by);
      const [approved] = await Promise.allSettled([
        order === "approval first" ? Promise.resolve() : approve(),
        order === "change first" ? Promise.resolve() : change(asked, by),
      ]);
      const isApproved = approved.status === "fulfilled";
      if (!isApproved) expect(outcome(approved), `${what}, ${order}`).toBe(decisionRefusals.overtaken);
      if (order === "change first") expect(isApproved, what).toBe(false);
      expect(await decisionOf(requestId), `${what}, ${order}`).toBe(isApproved ? "approved" : "overtaken");
      const { rows } = await people.db.pool.query(
        `select 1 from audit_trail where verb = 'staff.change-roles' and subject_id = $1
            and after->'roles' ? 'administrator'`,
        [String(peter.id)],
      );
      expect(rows, `${what}, ${order}`).toHaveLength(isApproved ? 1 : 0);
      await people.db.pool.query("update staff set state = 'ended', ended_at = now() where state <> 'ended'");
    }
  }
});
