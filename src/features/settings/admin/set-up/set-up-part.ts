import { z } from "zod";
import { type Action, action } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import { nextSetUpStep, SET_UP_PATH, type SetUp, stepActionPath } from "#admin/set-up.ts";
import { plural } from "#shared/language.ts";
import {
  changeStep,
  findSetUp,
  listObstacles,
  openToVisitors,
  type StepState,
  stepStates,
} from "../../server/set-up.ts";
import type { SettingsServices } from "../../server/settings-services.ts";
import { setUpSteps, stepNames } from "../../set-up-steps.ts";

export const OPEN_SITE_PATH = `${SET_UP_PATH}/open-site`;

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly listObstacles: () => readonly string[];
  }
}

/** Leads the first administrators of a new site through it. */
export function setUpPart(services: SettingsServices): AdminPart {
  return {
    reads: { findSetUp: () => findSetUp(services), listObstacles: () => listObstacles(services) },
    actions: [...stepActions(services), openAction(services)],
    dashboard: [
      {
        right: "settings.change",
        listWaiting: async () => {
          const setUp = await findSetUp(services);
          if (setUp === null) return [];
          return [{ text: describeRest(setUp), linkText: "Set up your site", path: SET_UP_PATH, look: "act" }];
        },
      },
    ],
  };
}

function describeRest({ isOpen, steps }: SetUp): string {
  const left = steps.filter(({ state }) => state !== "done");
  const titles = left.map(({ title }) => title).join(", ");
  if (left.length === 0) return "Every step is done: open the site to visitors";
  const count = plural(left.length, { one: "One step is left", other: `${left.length} steps are left` });
  return `${count}: ${titles}${isOpen ? "" : ". Visitors see a page that says that the site is being set up"}`;
}

const stepActions = (services: SettingsServices): Action[] =>
  stepNames.map((name) =>
    action({
      path: stepActionPath(name),
      screen: SET_UP_PATH,
      right: "settings.change",
      fields: z.object({ state: z.enum(stepStates) }),
      run: async ({ fields: { state }, actor, staff }) => {
        const setUp = await changeStep(services, { actor, staffId: staff.id }, name, state);
        return { to: leadOn(setUp, state), toast: `${setUpSteps[name].title}: ${stateWords[state]}` };
      },
    }),
  );

const stateWords: Readonly<Record<StepState, string>> = {
  done: "done.",
  skipped: "skipped for now. It stays on your dashboard.",
  open: "to do again.",
};

/** The next step that nobody has dealt with, else the list of all. */
function leadOn(setUp: SetUp | null, state: StepState): string {
  const next = setUp === null || state === "open" ? undefined : nextSetUpStep(setUp);
  return next?.state === "open" ? next.paths[0]! : SET_UP_PATH;
}

const openAction = (services: SettingsServices): Action =>
  action({
    path: OPEN_SITE_PATH,
    screen: SET_UP_PATH,
    right: "settings.change",
    needsProof: true,
    fields: z.object({}),
    run: async ({ actor, staff }) => {
      await openToVisitors(services, { actor, staffId: staff.id });
      return { to: SET_UP_PATH, toast: "The site is open: visitors see it now." };
    },
  });
