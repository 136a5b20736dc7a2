import { Refusal } from "#admin/actions.ts";
import { commandLine, recordAct } from "#admin/audit.ts";
import { allRoles, isRole, type Role, roles } from "#admin/rights.ts";
import { demoLinkPath } from "#features/staff/server/demo-link.ts";
import { issueInvitation, linkToHandOver } from "#features/staff/server/invitations.ts";
import { type ListedPerson, listPeople } from "#features/staff/server/people/list-people.ts";
import { endAccount, invite, inviteAgain } from "#features/staff/server/people/people.ts";
import { Email } from "#shared/contract/payer.ts";
import { plainLine } from "#shared/contract/plain-line.ts";
import { AppError } from "#shared/errors.ts";
import { dayInSydney } from "#shared/language.ts";
import type { Services } from "../services.ts";
import { type Command, print, runCommand } from "./command.ts";

const DONE = 0;
const REFUSED = 1;

const usage = `Says who works in the back office, and changes it: for the first administrator, and for lost devices.

  npm run staff -- invite amina@example.org administrator "Amina Raza"   emails an invitation
  npm run staff -- list                                                  shows everybody
  npm run staff -- end amina@example.org                                 ends an account, and its sessions immediately
  npm run staff -- reset amina@example.org                               removes passkeys, password and codes, and invites again
  npm run staff -- link amina@example.org                                prints an address that logs in once (demo only)

Roles: ${allRoles.join(", ")}. Several are written with commas: treasurer,auditor.`;

type Work = (services: Services) => Promise<number>;

const works: Readonly<Record<string, (words: readonly string[]) => Work | null>> = {
  invite: ([email, list = "", name = "", ...more]) => {
    const given = Email.safeParse(email);
    const wanted = [...new Set(list.split(","))];
    const held = wanted.filter(isRole);
    if (email === undefined || list === "" || more.length > 0) return null;
    if (!given.success) throw new Error(`'${email}' is not an email address.\n\n${usage}`);
    const other = wanted.find((role) => !isRole(role));
    if (other !== undefined) throw new Error(`'${other}' is not a role.\n\n${usage}`);
    if (!isName(name)) throw new Error("Keep the name to one line of 100 characters.");
    return (services) => inviteOne(services, given.data, held, name.trim());
  },
  list: (words) => (words.length === 0 ? listAll : null),
  end: forOne(async (services, person) => {
    await endAccount(services, commandLine, { id: person.id, reason: "By a command on the server" });
    print(`The account of ${person.name} has ended. Nobody is logged in to it any more.`);
    return DONE;
  }),
  reset: forOne(async (services, person) => {
    await inviteAgain(services, commandLine, { id: person.id });
    print(
      `${person.name} has no passkey and no password any more. A new invitation is queued; the running site emails it.`,
    );
    await printInvitation(services, person.email);
    return DONE;
  }),
  link: forOne(printLink),
};

const isName = (name: string) => name.length <= 100 && plainLine.test(name);

/** Runs work on one person, by their email. */
function forOne(work: (services: Services, person: ListedPerson) => Promise<number>) {
  return ([email, ...more]: readonly string[]): Work | null => {
    if (email === undefined || more.length > 0) return null;
    return async (services) => {
      const people = await listPeople(services);
      const person = people.find((one) => one.email.toLowerCase() === email.toLowerCase());
      if (person !== undefined) return work(services, person);
      print(`Nobody has the email ${email}. Nothing was changed.`);
      return REFUSED;
    };
  };
}

async function inviteOne(services: Services, email: string, held: readonly Role[], name: string): Promise<number> {
  await invite(services, commandLine, { email, name: name === "" ? email.split("@", 1)[0]! : name, roles: held });
  print(`An invitation to ${email} is queued; the running site emails it. Its link works once, within 72 hours.`);
  await printInvitation(services, email);
  return DONE;
}

/** Where nothing sends emails yet, whoever runs the server hands over the link. */
async function printInvitation(services: Services, email: string): Promise<void> {
  const person = (await listPeople(services)).find((one) => one.email.toLowerCase() === email.toLowerCase())!;
  const made = await linkToHandOver(services, person.id);
  if (made === null) return;
  print(
    "SMTP_URL is not set, so no email leaves this server. This link does the same: open it, or hand it over safely.",
  );
  print(made.link);
}

async function listAll(services: Services): Promise<number> {
  const people = await listPeople(services);
  if (people.length === 0)
    print("Nobody yet. Invite the first administrator: npm run staff -- invite EMAIL administrator");
  for (const { email, name, state, roles: held, lastSeenAt } of people) {
    const seen = lastSeenAt === null ? "never here" : `last here ${dayInSydney(lastSeenAt)}`;
    print([email, name, state, held.map((role) => roles[role].name).join(", "), seen].join("\t"));
  }
  return DONE;
}

/** @throws Refusal if the site takes real money, or the link would not work. */
async function printLink({ config, database, now }: Services, person: ListedPerson): Promise<number> {
  if (!config.isDemo) throw new Refusal("Only a demo has links that log in. Use 'reset' instead.");
  if (person.state !== "active") {
    throw new Refusal(`${person.name} has no account that is active. An invitation is in the mailbox, at /dev/mail.`);
  }
  const token = await database.transaction().execute(async (transaction) => {
    const act = { verb: "staff.demo-link", subject: "staff", subjectId: String(person.id) };
    await recordAct(transaction, commandLine, act, now());
    return issueInvitation(transaction, person.id, "demo", now());
  });
  print(config.publicUrl + demoLinkPath(token));
  return DONE;
}

/** Says in one sentence why nothing was done. */
function explain(work: Work): Work {
  return async (services) => {
    try {
      return await work(services);
    } catch (error) {
      const fields = error instanceof AppError ? Object.values(error.fields ?? {}).flat() : [];
      const sentence = error instanceof Refusal ? error.message : fields[0];
      if (sentence === undefined) throw error;
      print(`${sentence} Nothing was changed.`);
      return REFUSED;
    }
  };
}

export const staffCommand: Command = ([name = "", ...words]) => {
  const work = Object.hasOwn(works, name) ? works[name]!(words) : null;
  if (work === null) throw new Error(usage);
  return explain(work);
};

if (import.meta.main) await runCommand(staffCommand, REFUSED);
