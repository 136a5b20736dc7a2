import "#shared/ui/form-without-eval.ts";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { loginThen, paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { NotLoaded, useLater } from "#shared/ui/form-later.tsx";
import { Steps } from "#shared/ui/form-steps.tsx";
import { BankCard, type Charity } from "./bank-card.tsx";
import { stepNames } from "./flow.ts";
import { laterSteps } from "./later.ts";
import { isPersonalComplete } from "./personal.ts";
import { PersonalStep } from "./personal-step.tsx";
import { type Donation, useDonation } from "./use-donation.ts";

/** The whole of /donation: five steps, with giving by bank deposit beside them (DON-1 to DON-27). */
export function DonationPage({ organisation }: { organisation: Charity }) {
  const donation = useDonation();
  const { step, verdict } = donation.flow;
  // Nothing invites to pay again what is paid, or may be.
  const isBankShown = step < 5 || verdict?.kind === "failed" || verdict?.kind === "refunded";
  const [hasProblems, setHasProblems] = useState(false);
  const heading = useHeading(donation, hasProblems, organisation.name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step starts without problems
  useEffect(() => setHasProblems(false), [step]);
  return (
    <div className="flow">
      <div className="wrap">
        <WithoutScript organisation={organisation} />
        <div className="flow-head">
          <h1 tabIndex={-1} ref={heading}>
            {headingOf(donation)}
            {step < 5 && (
              <span className="sr">
                , step {step} of 4: {stepNames[step - 1]}
              </span>
            )}
          </h1>
        </div>
        <Steps names={stepNames} current={step} completed={donation.flow.completed} />
        <div className={isBankShown ? "with-aside" : "flow-main"}>
          {step === 1 ? (
            <section className="plain-card needs-script" aria-labelledby="personal-heading">
              <p className="step-count">Step 1 of 4</p>
              <h2 id="personal-heading">Your details</h2>
              <PersonalStep donation={donation} onProblems={setHasProblems} />
            </section>
          ) : (
            <Later donation={donation} organisation={organisation} onProblems={setHasProblems} />
          )}
          {isBankShown && (
            <aside className="flow-aside">
              <BankCard organisation={organisation} />
            </aside>
          )}
        </div>
      </div>
    </div>
  );
}

type LaterProps = { donation: Donation; organisation: Charity; onProblems: (has: boolean) => void };

function Later(props: LaterProps) {
  const { part, hasFailed, tryAgain } = useLater(laterSteps);
  if (part !== undefined) return <part.LaterSteps {...props} />;
  return (
    <section className="plain-card" aria-label="Loading">
      {hasFailed ? (
        <NotLoaded
          says="The next step did not load. Please check your connection. What you entered is kept."
          onTryAgain={tryAgain}
        />
      ) : (
        <p role="status">Loading…</p>
      )}
    </section>
  );
}

/** What stands here for those without JavaScript (DON-2); the bank card beside it works for them too. */
function WithoutScript({ organisation }: { organisation: Charity }) {
  return (
    <noscript>
      <div className="plain-card no-script">
        <h2>Giving without JavaScript</h2>
        <p>
          Paying by card or PayPal here needs JavaScript, which is switched off in your browser. You can give by bank
          deposit with the details on this page, or call our helpline on{" "}
          <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
        <p>
          With JavaScript on, start at <a href={loginThen(paths.donation)}>Log in or continue as a guest</a>.
        </p>
      </div>
    </noscript>
  );
}

function headingOf({ flow }: Donation): string {
  if (flow.step < 4) return "Make a donation";
  if (flow.step === 4) return "Check your donation, then pay";
  if (flow.verdict?.kind === "succeeded") return "Thank you for your donation";
  if (flow.verdict?.kind === "failed") return "Your payment did not go through";
  if (flow.verdict?.kind === "refunded") return "Your payment was refunded";
  return "We are confirming your payment";
}

/** The page's title follows the step; a new step, or result, takes focus to its heading. */
function useHeading(donation: Donation, hasProblems: boolean, organisation: string) {
  const { isReady, flow } = donation;
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef<string | undefined>(undefined);
  const text = headingOf(donation);
  const place = flow.step < 5 ? `Step ${flow.step} of 4: ${stepNames[flow.step - 1]}` : text;
  const isWrong = hasProblems && !(flow.step === 1 && isPersonalComplete(flow.personal));
  useEffect(() => {
    if (!isReady) return;
    document.title = `${isWrong ? "Error: " : ""}${place} | Make a donation | ${organisation}`;
  }, [isReady, isWrong, place, organisation]);
  // With the change itself: what had focus may be gone with it.
  const isTryingAgain = flow.step === 4 && (flow.lastFailure !== undefined || flow.refusal !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the step changes; why it did not go through has focus then
  useLayoutEffect(() => {
    if (!isReady) return;
    if (seen.current !== undefined && seen.current !== place && !isTryingAgain) heading.current?.focus();
    seen.current = place;
  }, [isReady, place]);
  return heading;
}
