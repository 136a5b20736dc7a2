import "#shared/ui/form-without-eval.ts";
import { useLayoutEffect, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import type { KnownPlaces } from "#shared/places/contract.ts";
import { ErrorSummary } from "#shared/ui/form-error-summary.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { Steps } from "#shared/ui/form-steps.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { usePlaceHeading } from "#shared/ui/use-focus.ts";
import { lazyPart, NotLoaded, useLoad } from "#shared/ui/use-load.tsx";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { type ApplicationStep, applicationStepNames } from "../../steps.ts";
import type { OrganisationContact } from "./contact-ways.tsx";
import { type Thanks, takeThanks } from "./draft-storage.ts";
import type { LazyStepsProps } from "./lazy-steps-props.ts";
import { ApplicantStep } from "./personal-step.tsx";
import { type ApplicationForm, useApplication } from "./use-application.ts";

type VolunteerFormProps = {
  readonly organisation: OrganisationContact;
  readonly captcha: CaptchaSetup;
  readonly places: KnownPlaces;
};

const headings: Readonly<Record<ApplicationStep, string>> = {
  1: "About you",
  2: "Your skills",
  3: "Emergency contact",
  4: "Photo and signature",
};

/** The application form in four steps (VOL-1 to VOL-10). */
export function VolunteerForm({ organisation, captcha, places }: VolunteerFormProps) {
  const form = useApplication(captcha);
  const { step, completed, problems, shownAt } = form;
  const heading = useHeading(form, organisation.name);
  return (
    <>
      <After organisation={organisation} />
      <div className="needs-script">
        <div
          className="vol-bar"
          role="progressbar"
          aria-label="Application"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={step * 25}
          aria-valuetext={`Step ${step} of 4: ${applicationStepNames[step - 1]}`}
        />
        <Steps names={applicationStepNames} current={step} completed={completed} />
        <ErrorSummary problems={problems} shownAt={shownAt} />
        <form
          className="plain-card"
          method="post"
          noValidate
          onSubmit={form.submit}
          onFocus={() => void lazySteps.load()}
          aria-labelledby="step-title"
        >
          <p className="step-count">{`Step ${step} of 4`}</p>
          <h2 id="step-title" tabIndex={-1} ref={heading}>
            {headings[step]}
          </h2>
          <Notes
            form={form}
            onClear={() => {
              form.clear();
              heading.current?.focus();
            }}
          />
          <div className="vol-step" key={step}>
            {step === 1 ? (
              <ApplicantStep form={form} places={places} />
            ) : (
              <RemainingSteps form={form} organisation={organisation} places={places} />
            )}
          </div>
          <Trap input={form.trap} />
          <LegalNote />
          <Actions form={form} />
        </form>
      </div>
    </>
  );
}

function Notes({ form, onClear }: { form: ApplicationForm; onClear: () => void }) {
  return (
    <div className="vol-notes">
      <p className="note">
        <Icon name="info" />
        <span>
          {form.step === 4
            ? "Fill in all fields that are not marked optional before you submit."
            : "Fill in all fields that are not marked optional before you continue."}
        </span>
      </p>
      {form.isRestored && <Restored onClear={onClear} />}
    </div>
  );
}

/** Loaded only for visitors with a draft. */
function Restored({ onClear }: { onClear: () => void }) {
  const { data: part } = useLazySteps();
  return part === undefined ? null : <part.RestoredNote onClear={onClear} />;
}

const useLazySteps = () => useLoad(lazySteps.load, { known: lazySteps.known() });

function RemainingSteps(props: LazyStepsProps) {
  const { data: part, error, reload } = useLazySteps();
  if (part !== undefined) return <part.LazyApplicationSteps {...props} />;
  return (
    <NotLoaded
      hasFailed={error !== undefined}
      text="The next step did not load. Please check your connection. What you typed is kept."
      onTryAgain={reload}
    >
      <p role="status">Loading…</p>
    </NotLoaded>
  );
}

function Actions({ form }: { form: ApplicationForm }) {
  const { step, isReady, isBusy, isChanging, text } = form;
  const next = isChanging ? "Save and go back" : "Next";
  return (
    <div className="form-actions">
      {step > 1 && (
        <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={() => isBusy || form.goBack()}>
          Previous
        </button>
      )}
      <button className="btn" type={isReady ? "submit" : "button"} aria-disabled={isBusy}>
        {step === 4 ? "Submit" : next}
      </button>
      <p className={text === "" ? "why" : "why vol-sending"} role="status">
        {text}
      </p>
    </div>
  );
}

/** Shown above the form after an application was sent and the page reloaded; loaded only then. */
function After({ organisation }: { organisation: OrganisationContact }) {
  const [thanks, setThanks] = useState<Thanks>();
  useOnMount(() => setThanks(takeThanks()));
  // If it does not load, the alert has said so already, and the email has the reference.
  const { data } = useLoad(() => import("./thanks-note.tsx"), { isWanted: thanks !== undefined });
  return thanks && data && <data.ThanksNote thanks={thanks} organisation={organisation} />;
}

/** A honeypot: people neither see nor reach this field, but bots fill it in. */
function Trap({ input }: { input: React.RefObject<HTMLInputElement | null> }) {
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" ref={input} />
    </div>
  );
}

/** The page's title follows the step. A new step moves focus to its heading, unless it has errors. */
function useHeading({ isReady, step, problems, refusal }: ApplicationForm, organisation: string) {
  const isWrong = problems.length > 0 || refusal !== undefined;
  useLayoutEffect(() => {
    if (!isReady) return;
    const place = `Step ${step} of 4: ${applicationStepNames[step - 1]}`;
    document.title = `${isWrong ? "Error: " : ""}${place} | Volunteer Application | ${organisation}`;
  }, [isReady, isWrong, step, organisation]);
  return usePlaceHeading(isReady ? `${step}` : undefined, !isWrong);
}

const lazySteps = lazyPart(() => import("./lazy-application-steps.tsx"));
