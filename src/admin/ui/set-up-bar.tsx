import { plural } from "#shared/language.ts";
import { findStep, SET_UP_PATH, type SetUp, type SetUpStep, stepActionPath } from "../set-up.ts";
import type { IconName } from "./icon.tsx";
import { Icon } from "./icon.tsx";
import type { StatusLook } from "./status.tsx";

/** How a step's state looks. */
export const stepLooks: Readonly<
  Record<SetUpStep["state"], { readonly look: StatusLook; readonly icon: IconName; readonly text: string }>
> = {
  done: { look: "ok", icon: "ok", text: "Done" },
  skipped: { look: "plain", icon: "right", text: "Skipped for now" },
  open: { look: "plain", icon: "clock", text: "To do" },
};

/** The way through the set-up, above each screen: the steps, what to do on this one, and what is missing for going live. */
export function SetUpBar({ setUp, path }: { setUp: SetUp; path: string }) {
  const { steps, missingForLive } = setUp;
  const here = findStep(setUp, path);
  const done = steps.filter(({ state }) => state === "done").length;
  return (
    <section className="set-up-bar" aria-label="Setting up your site">
      <div className="set-up-way">
        <a className="set-up-title" href={SET_UP_PATH}>
          Set up your site
        </a>
        <ol>
          {steps.map((step) => (
            <li key={step.name}>
              <a className={step.state} href={step.paths[0]} aria-current={step === here ? "step" : undefined}>
                <Icon name={stepLooks[step.state].icon} />
                {step.title}
                <span className="sr">: {stepLooks[step.state].text}</span>
              </a>
            </li>
          ))}
        </ol>
      </div>
      {here !== undefined && <Here step={here} />}
      <details>
        <summary>
          {done} of {steps.length} steps done.{" "}
          {missingForLive.length === 0
            ? "Nothing is missing for going live."
            : plural(missingForLive.length, {
                one: "One requirement is missing for going live.",
                other: `${missingForLive.length} requirements are missing for going live.`,
              })}
        </summary>
        <ul className="dots small">
          {missingForLive.map(({ sentence }) => (
            <li key={sentence}>{sentence}.</li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Here({ step }: { step: SetUpStep }) {
  return (
    <form method="post" action={stepActionPath(step.name)}>
      {step.missing.length > 0 && <p className="small">{describeMissing(step.missing)}</p>}
      <div className="acts">
        <StepButtons step={step} />
      </div>
    </form>
  );
}

/** The screens name all of it themselves. */
const describeMissing = (missing: readonly string[]): string =>
  missing.length <= 2
    ? missing.join(" ")
    : `${missing.length} things are missing before this step is done: they are marked below.`;

/** What can be done with a step: it is done only once nothing is missing. */
export function StepButtons({ step: { state, missing, title } }: { step: SetUpStep }) {
  const button = (value: SetUpStep["state"], label: string, isMain: boolean) => (
    <button
      className={isMain ? "btn" : "btn quiet"}
      type="submit"
      name="state"
      value={value}
      aria-label={`${label}: ${title}`}
    >
      {label}
    </button>
  );
  if (state === "done") return button("open", "Not done after all", false);
  return (
    <>
      {missing.length === 0 && button("done", "Done, go on", true)}
      {state === "open" && button("skipped", "Skip for now", false)}
    </>
  );
}
