import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { SetUp, SetUpStep } from "#admin/set-up.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatList } from "#shared/language.ts";
import { checkLive, isOwnOrganisation } from "#shared/live-checks.ts";
import { listUnfilledDetails, type Organisation, receiptGaps } from "#shared/organisation.ts";
import { listValues, organisationGroups } from "../organisation-fields.ts";
import { SET_UP_SETTING, SetUpState, type StepName, setUpSteps, stepNames } from "../set-up-steps.ts";
import { listUnreadTexts } from "./legal-texts.ts";
import { lockSetting, readSetting, writeSetting } from "./setting-versions.ts";
import type { SettingsServices } from "./settings-services.ts";

/**
 * Marks a database in which nothing has happened yet as a site to be set up. Safe to call at every start, in several
 * processes. Returns whether the site is new.
 */
export async function beginSetUp(database: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into site_settings (key, value)
    select ${SET_UP_SETTING}, '{"isOpen": false, "steps": {}}'
    where not exists (select from payment_attempts) and not exists (select from news)
      and not exists (select from events) and not exists (select from testimonials)
      and not exists (select from gallery_items) and not exists (select from setting_versions)
      and not exists (select from content_versions where saved_by is not null)
      and not exists (select from staff where state = 'active')
    on conflict do nothing`.execute(database);
  return numAffectedRows === 1n;
}

type SetUpServices = Pick<SettingsServices, "database" | "config" | "organisation" | "now" | "setUpSources" | "setUp">;

/** How far it is; null on a site that began with content, and once all is done. */
export async function findSetUp(services: SetUpServices): Promise<SetUp | null> {
  // Most sites have nothing to set up, and none begins to while it runs.
  if (services.setUp.current() === null) return null;
  const parsed = SetUpState.safeParse((await readSetting(services.database, SET_UP_SETTING)).value);
  if (!parsed.success) return null;
  const setUp = await describeSetUp(services, parsed.data);
  return setUp.isOpen && setUp.steps.every(({ state }) => state === "done") ? null : setUp;
}

async function describeSetUp(services: SetUpServices, state: SetUpState): Promise<SetUp> {
  const { config, organisation } = services;
  const current = organisation.current();
  const unmet = checkLive(config.liveSettings, current).filter(({ isMet }) => !isMet);
  const sentencesOf = (...topics: readonly string[]) =>
    unmet.filter(({ topic }) => topics.includes(topic)).map(({ sentence }) => `${sentence}.`);
  const [unread, hasOwnPage] = await Promise.all([listUnreadTexts(services), services.setUpSources.hasOwnPage()]);
  const missing: Readonly<Record<StepName, readonly string[]>> = {
    organisation: listOrganisationGaps(current),
    brand: [],
    "legal-texts": unread.length === 0 ? [] : [`Nobody has read ${formatList(unread.map(quote), "and")}.`],
    payments: sentencesOf("cards", "paypal"),
    mail: sentencesOf("mail"),
    page: hasOwnPage ? [] : ["No page of yours is published yet: all are as delivered."],
  };
  const steps = stepNames.map((name): SetUpStep => {
    // What was done counts no longer once something is missing again.
    const kept = state.steps[name] ?? "open";
    const isUndone = kept === "done" && missing[name].length > 0;
    return { name, ...setUpSteps[name], state: isUndone ? "open" : kept, missing: missing[name] };
  });
  return { isOpen: state.isOpen, steps, missingForLive: unmet };
}

const quote = (title: string) => `‘${title}’`;

const labels = new Map(organisationGroups.flatMap(listValues).map(({ name, label }) => [name, label]));

/** What is still missing of the organisation's details, in sentences. */
function listOrganisationGaps(organisation: Organisation): string[] {
  const left = listUnfilledDetails(organisation).map((name) => labels.get(name) ?? name);
  const receipts = receiptGaps(organisation);
  const isForeign = left.length === 0 && !isOwnOrganisation(organisation);
  return [
    ...(left.length === 0 ? [] : [`To fill in: ${formatList(left, "and")}.`]),
    ...(isForeign ? ["The ABN is the demo’s, or an email address ends in .example and reaches nobody."] : []),
    ...(receipts.length === 0 ? [] : [`Receipts wait for ${formatList(receipts, "and")}.`]),
  ];
}

type Acting = { readonly actor: Actor; readonly staffId: number };

/** Changes how far the site is set up. Whoever does the same in another tab changes nothing. */
function changeState(
  { database, now }: SetUpServices,
  { actor, staffId }: Acting,
  change: (state: SetUpState) => { readonly state: SetUpState; readonly act: { verb: string; subjectId: string } },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const at = now();
    const version = await lockSetting(transaction, SET_UP_SETTING, at);
    const kept = SetUpState.safeParse(version.value);
    if (!kept.success) throw new Refusal("This site is set up already. Nothing was changed.");
    const { state, act } = change(kept.data);
    if (JSON.stringify(state) === JSON.stringify(kept.data)) return;
    await writeSetting(transaction, SET_UP_SETTING, { value: state, by: staffId, at, over: version.number });
    await recordAct(transaction, actor, { ...act, subject: "set-up" }, at);
  });
}

export const stepStates = ["done", "skipped", "open"] as const;
export type StepState = (typeof stepStates)[number];

/** @throws Refusal with what is missing, if the step cannot be done yet. */
export async function changeStep(
  services: SetUpServices,
  acting: Acting,
  name: StepName,
  wanted: StepState,
): Promise<SetUp | null> {
  const found = (await findSetUp(services))?.steps.find((step) => step.name === name);
  if (wanted === "done" && found !== undefined && found.missing.length > 0) {
    throw new Refusal(`${found.title} is not done yet. ${found.missing.join(" ")} You can skip it and come back.`);
  }
  await changeState(services, acting, (state) => {
    const { [name]: _, ...others } = state.steps;
    const steps = wanted === "open" ? others : { ...state.steps, [name]: wanted };
    return { state: { ...state, steps }, act: { verb: `set-up.${wanted}`, subjectId: name } };
  });
  return findSetUp(services);
}

/** Why visitors may not see the site yet, in sentences; empty if they may. */
export function listObstacles({ config, organisation }: Pick<SetUpServices, "config" | "organisation">): string[] {
  return [
    ...(isOwnOrganisation(organisation.current())
      ? []
      : ["The organisation’s details are not yours yet: visitors would read about somebody else."]),
    ...(config.isLive
      ? []
      : ["Payments are off, so nobody could give. Whoever runs the server starts the site with PAYMENTS=live."]),
  ];
}

/** Shows the site to visitors. @throws Refusal with what is missing */
export async function openToVisitors(services: SetUpServices, acting: Acting): Promise<void> {
  const obstacles = listObstacles(services);
  if (obstacles.length > 0) throw new Refusal(`${obstacles.join(" ")} Nothing was changed.`);
  await changeState(services, acting, (state) => ({
    state: { ...state, isOpen: true },
    act: { verb: "set-up.open-site", subjectId: "" },
  }));
}
