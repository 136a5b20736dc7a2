import "#shared/ui/form-without-eval.ts";
import { useLayoutEffect, useState } from "react";
import { loginThen, paths } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Steps } from "#shared/ui/form-steps.tsx";
import { usePlaceHeading } from "#shared/ui/use-focus.ts";
import { NotLoaded, useLoad } from "#shared/ui/use-load.tsx";
import { BankCard, type Charity } from "./bank-card.tsx";
import { donationStepNames, type Flow } from "./flow.ts";
import { lazySteps } from "./lazy-steps.ts";
import { isPersonalComplete } from "./personal.ts";
import { DonorStep } from "./personal-step.tsx";
import { type DonationForm, useDonation } from "./use-donation.ts";

/** The /donation page: five steps beside the bank deposit details (DON-1 to DON-27). */
export function DonationPage({ organisation }: { organisation: Charity }) {
  const donation = useDonation();
  const { step, verdict } = donation.flow;
  // Offer no other way to pay once the payment was made, or may have been.
  const isBankShown = step < 5 || verdict?.kind === "failed" || verdict?.kind === "refunded";
  const [problems, setProblems] = useState({ step, has: false });
  // A new step starts without problems.
  if (problems.step !== step) setProblems({ step, has: false });
  const onProblems = (has: boolean) => setProblems({ step, has });
  const heading = useHeading(donation, problems.has, organisation.name);
  return (
    <div className="flow">
      <div className="wrap">
        <WithoutScript organisation={organisation} />
        <div className="flow-head">
          <h1 tabIndex={-1} ref={heading}>
            <span>{headingOf(donation.flow)}</span>
            {step < 5 && <span className="sr">{`, step ${step} of 4: ${donationStepNames[step - 1]}`}</span>}
          </h1>
        </div>
        <Steps names={donationStepNames} current={step} completed={donation.flow.completed} />
        <div className={isBankShown ? "with-aside" : "flow-main"}>
          {step === 1 ? (
            <section className="plain-card needs-script" aria-labelledby="personal-heading">
              <p className="step-count">Step 1 of 4</p>
              <h2 id="personal-heading">Your details</h2>
              <DonorStep donation={donation} onProblems={onProblems} />
            </section>
          ) : (
            <RemainingSteps donation={donation} organisation={organisation} onProblems={onProblems} />
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

type RemainingStepsProps = { donation: DonationForm; organisation: Charity; onProblems: (has: boolean) => void };

function RemainingSteps(props: RemainingStepsProps) {
  const { data: part, error, reload } = useLoad(lazySteps.load, { known: lazySteps.known() });
  if (part !== undefined) return <part.LazyDonationSteps {...props} />;
  return (
    <section className="plain-card" aria-label="Loading">
      <NotLoaded
        hasFailed={error !== undefined}
        text="The next step didn’t load. Please check your connection. We’ve kept what you entered."
        onTryAgain={reload}
      >
        <p role="status">Loading…</p>
      </NotLoaded>
    </section>
  );
}

/** For visitors without JavaScript (DON-2); the bank card beside it works for them too. */
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

function headingOf(flow: Flow): string {
  if (flow.step < 4) return "Make a donation";
  if (flow.step === 4) return "Check your donation, then pay";
  if (flow.verdict?.kind === "succeeded") return "Thank you for your donation";
  if (flow.verdict?.kind === "failed") return "Your payment did not go through";
  if (flow.verdict?.kind === "refunded") return "Your payment was refunded";
  return "We are confirming your payment";
}

/** Sets the page title and focuses each new heading, unless the reason for a failure takes focus. */
function useHeading({ isReady, flow }: DonationForm, hasProblems: boolean, organisation: string) {
  const place = flow.step < 5 ? `Step ${flow.step} of 4: ${donationStepNames[flow.step - 1]}` : headingOf(flow);
  const isWrong = hasProblems && !(flow.step === 1 && isPersonalComplete(flow.personal));
  useLayoutEffect(() => {
    if (!isReady) return;
    document.title = `${isWrong ? "Error: " : ""}${place} | Make a donation | ${organisation}`;
  }, [isReady, isWrong, place, organisation]);
  const isTryingAgain = flow.step === 4 && (flow.lastFailure !== undefined || flow.refusal !== undefined);
  return usePlaceHeading(isReady ? place : undefined, !isTryingAgain);
}
