import { formatList, formatMoment, plural } from "#shared/language.ts";
import type { ListedPerson } from "../server/people/list-people.ts";

type WaysToLogIn = Pick<ListedPerson, "passkeys" | "hasPassword" | "state">;

/** 'Two passkeys and a password'; "" if the person cannot log in yet, or no longer. */
export function describeWaysToLogIn({ passkeys, hasPassword, state }: WaysToLogIn): string {
  if (state === "ended") return "";
  const ways = [
    ...(passkeys > 0 ? [plural(passkeys, { one: "1 passkey", other: `${passkeys} passkeys` })] : []),
    ...(hasPassword ? ["password and code"] : []),
  ];
  return formatList(ways, "and");
}

/** A moment in Sydney: 'Tue 9:30 am'. */
export const formatGuard = (until: Date): string =>
  formatMoment(until, { weekday: "short", hour: "numeric", minute: "2-digit", timeZone: "Australia/Sydney" });

const HOUR_MS = 3_600_000;

type PersonState = {
  readonly text: string;
  readonly look: "ok" | "act" | "warn" | "off";
  readonly icon?: "lock" | "mail";
};

/** 'Active', 'Invited, 41 hours left', 'Guarded until Tue, 9:20 am'. */
export function describeState(person: ListedPerson, now: Date): PersonState {
  if (person.state === "active") {
    if (person.guardedUntil === null) return { text: "Active", look: "ok" };
    return { text: `Guarded until ${formatGuard(person.guardedUntil)}`, look: "warn", icon: "lock" };
  }
  if (person.state === "ended") return { text: "Ended", look: "off" };
  if (person.invitedUntil === null) return { text: "Invitation expired", look: "warn" };
  const hours = Math.floor((person.invitedUntil.getTime() - now.getTime()) / HOUR_MS);
  const text = plural(hours, {
    one: "Invited, 1 hour left",
    other: hours === 0 ? "Invited, less than an hour left" : `Invited, ${hours} hours left`,
  });
  return { text, look: "act", icon: "mail" };
}

/** The names of the administrators who can log in, all but one person. */
export function listActiveAdministrators(people: readonly ListedPerson[], { except }: { except: number }): string[] {
  return people
    .filter(({ id, state, roles }) => id !== except && state === "active" && roles.includes("administrator"))
    .map(({ name }) => name);
}

/** A link to somebody's account would let whoever has it act in their name, so no administrator gets one. */
export const describeLockOut = ({ name, email }: Pick<ListedPerson, "name" | "email">): string =>
  `No invitation would reach ${name}. Whoever runs the server can reset the log-in and print the link: npm run staff -- reset ${email}`;

/** What happens if somebody is made an administrator, for whoever may ask for it. */
export function describeApproval(otherAdministrators: readonly string[]): string {
  return otherAdministrators.length === 0
    ? "You are the only administrator, so a new one takes effect immediately."
    : `A new administrator waits until another one approves: ${formatList(otherAdministrators, "or")}.`;
}

/** 'Seven people have access. One has not answered the invitation.' with figures. */
export function describeTeam(people: readonly ListedPerson[]): string {
  const active = people.filter(({ state }) => state === "active").length;
  const invited = people.filter(({ state }) => state === "invited").length;
  const sentences = [plural(active, { one: "1 person has access.", other: `${active} people have access.` })];
  if (invited > 0) {
    sentences.push(
      plural(invited, {
        one: "1 invitation has not been answered.",
        other: `${invited} invitations have not been answered.`,
      }),
    );
  }
  return sentences.join(" ");
}
