import "#shared/ui/form-without-eval.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import type { KnownPlaces } from "#shared/places/contract.ts";
import { ErrorSummary } from "#shared/ui/form-error-summary.tsx";
import { NotLoaded, useLater } from "#shared/ui/form-later.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { Steps } from "#shared/ui/form-steps.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { type Step, stepNames } from "../../steps.ts";
import { takeThanks } from "./draft-storage.ts";
import { laterSteps } from "./later.ts";
import type { LaterStepsProps } from "./later-steps-props.ts";
import { PersonalStep } from "./personal-step.tsx";
import { type ApplicationForm, useApplication } from "./use-application.ts";
import type { Reached } from "./ways.tsx";

type VolunteerFormProps = {
  readonly organisation: Reached;
  readonly captcha: CaptchaSetup;
  readonly places: KnownPlaces;
};

const headings: Readonly<Record<Step, string>> = {
  1: "About you",
  2: "Your skills",
  3: "Emergency contact",
  4: "Photo and signature",
};

/** The application to volunteer, in four steps (VOL-1 to VOL-10). */
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
          aria-valuetext={`Step ${step} of 4: ${stepNames[step - 1]}`}
        />
        <Steps names={stepNames} current={step} completed={completed} />
        <ErrorSummary problems={problems} shownAt={shownAt} />
        <form
          className="plain-card"
          method="post"
          noValidate
          onSubmit={form.submit}
          onFocus={() => void laterSteps.load()}
          aria-labelledby="step-title"
        >
          <p className="step-count">Step {step} of 4</p>
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
              <PersonalStep form={form} places={places} />
            ) : (
              <Later form={form} organisation={organisation} places={places} />
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
        <span>Fill in all fields that are not marked optional before you {form.step === 4 ? "submit" : "go on"}.</span>
      </p>
      {form.isRestored && <Restored onClear={onClear} />}
    </div>
  );
}

/** What a visitor sees who comes back; who comes for the first time does not load it. */
function Restored({ onClear }: { onClear: () => void }) {
  const { part } = useLater(laterSteps);
  return part === undefined ? null : <part.RestoredNote onClear={onClear} />;
}

function Later(props: LaterStepsProps) {
  const { part, hasFailed, tryAgain } = useLater(laterSteps);
  if (part !== undefined) return <part.LaterSteps {...props} />;
  if (!hasFailed) return <p role="status">Loading…</p>;
  return (
    <NotLoaded
      says="The next step did not load. Please check your connection. What you typed is kept."
      onTryAgain={tryAgain}
    />
  );
}

function Actions({ form }: { form: ApplicationForm }) {
  const { step, isReady, isBusy, isChanging, says } = form;
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
      <p className={says === "" ? "why" : "why vol-sending"} role="status">
        {says}
      </p>
    </div>
  );
}

/** What stands above the form after an application arrived and the page was loaded anew; its code comes only then. */
function After({ organisation }: { organisation: Reached }) {
  const [note, setNote] = useState<ReactNode>();
  useEffect(() => {
    const thanks = takeThanks();
    if (thanks === undefined) return;
    import("./thanks-note.tsx").then(
      ({ ThanksNote }) => setNote(<ThanksNote thanks={thanks} organisation={organisation} />),
      // The alert has said it already, and the letter has the reference.
      () => undefined,
    );
  }, [organisation]);
  return note;
}

/** People neither see nor reach this field; programs that fill in everything fill it in too. */
function Trap({ input }: { input: React.RefObject<HTMLInputElement | null> }) {
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" ref={input} />
    </div>
  );
}

/** The page's title follows the step; a new step takes focus to its heading, unless something wrong on it does. */
function useHeading({ isReady, step, problems, refusal }: ApplicationForm, organisation: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef<Step | undefined>(undefined);
  const isWrong = problems.length > 0 || refusal !== undefined;
  useEffect(() => {
    if (!isReady) return;
    const place = `Step ${step} of 4: ${stepNames[step - 1]}`;
    document.title = `${isWrong ? "Error: " : ""}${place} | Volunteer Application | ${organisation}`;
  }, [isReady, isWrong, step, organisation]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the step changes, whatever was wrong on the one before
  useEffect(() => {
    if (!isReady) return;
    if (seen.current !== undefined && seen.current !== step && !isWrong) heading.current?.focus();
    seen.current = step;
  }, [isReady, step]);
  return heading;
}
