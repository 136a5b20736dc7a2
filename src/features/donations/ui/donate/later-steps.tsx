import { useEffect } from "react";
import { isAboutMethod } from "#payments/checkout/ui/outcome.ts";
import { NotLoaded } from "#shared/ui/form-later.tsx";
import type { Charity } from "./bank-card.tsx";
import { FinishStep } from "./finish-step.tsx";
import { MethodStep } from "./method-step.tsx";
import { PaymentStep } from "./payment-step.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { useCatalogue } from "./use-catalogue.ts";
import type { Donation } from "./use-donation.ts";

/** Steps 2 to 5, in a chunk of their own: the first step needs none of it. */
export function LaterSteps({ donation, organisation, onProblems }: LaterStepsProps) {
  const { catalogue, hasFailed, reload } = useCatalogue(donation.knownCatalogue);
  const { step, refusal } = donation.flow;
  const mayBeStale = Object.keys(refusal?.fields ?? {}).length > 0 || isAboutMethod(refusal);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the server refused may have changed on its side
  useEffect(() => {
    if (mayBeStale) reload();
  }, [refusal]);
  if (step === 5) return <FinishStep donation={donation} organisation={organisation} />;
  if (catalogue === undefined) return <NotYet hasFailed={hasFailed} onTryAgain={reload} />;
  if (step === 2) return <MethodStep donation={donation} catalogue={catalogue} onProblems={onProblems} />;
  if (step === 3) return <PaymentStep donation={donation} catalogue={catalogue} onReload={reload} />;
  return <PreviewStep donation={donation} catalogue={catalogue} organisation={organisation} />;
}

type LaterStepsProps = { donation: Donation; organisation: Charity; onProblems: (has: boolean) => void };

function NotYet({ hasFailed, onTryAgain }: { hasFailed: boolean; onTryAgain: () => void }) {
  return (
    <section className="plain-card not-yet" aria-label="Donation">
      {hasFailed ? (
        <NotLoaded
          says="We could not load what you can donate to. Please check your connection and try again. What you entered is kept, and nothing was charged."
          onTryAgain={onTryAgain}
        />
      ) : (
        <p className="muted">Loading what you can donate to…</p>
      )}
    </section>
  );
}
