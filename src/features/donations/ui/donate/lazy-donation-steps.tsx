import { useEffect } from "react";
import { isAboutMethod } from "#payments/checkout/ui/outcome.ts";
import { NotLoaded } from "#shared/ui/use-load.tsx";
import { retitle } from "../../cart.ts";
import type { Charity } from "./bank-card.tsx";
import { FinishStep } from "./finish-step.tsx";
import { MethodStep } from "./method-step.tsx";
import { PaymentStep } from "./payment-step.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { useCatalogue } from "./use-catalogue.ts";
import type { DonationForm } from "./use-donation.ts";

/** Steps 2 to 5, in their own chunk because the first step needs none of it. */
export function LazyDonationSteps({ donation, organisation, onProblems }: LazyStepsProps) {
  const { data: catalogue, error, reload } = useCatalogue(donation.knownCatalogue);
  const { step, refusal } = donation.flow;
  // A refusal may mean that the catalogue has changed.
  useEffect(() => {
    if (Object.keys(refusal?.fields ?? {}).length > 0 || isAboutMethod(refusal)) reload();
  }, [refusal, reload]);
  if (step === 5) return <FinishStep donation={donation} organisation={organisation} />;
  if (catalogue === undefined) return <NotYet error={error} onTryAgain={reload} />;
  const { flow } = donation;
  const lines = flow.lines.map((line) => retitle(line, catalogue.categories));
  const named = { ...donation, flow: { ...flow, lines } };
  if (step === 2) return <MethodStep donation={named} catalogue={catalogue} onProblems={onProblems} />;
  if (step === 3) return <PaymentStep donation={named} catalogue={catalogue} onReload={reload} />;
  return <PreviewStep donation={named} catalogue={catalogue} organisation={organisation} />;
}

type LazyStepsProps = { donation: DonationForm; organisation: Charity; onProblems: (has: boolean) => void };

function NotYet({ error, onTryAgain }: { error: Error | undefined; onTryAgain: () => void }) {
  return (
    <section className="plain-card not-yet" aria-label="Donation">
      <NotLoaded
        hasFailed={error !== undefined}
        text={`We couldn’t load the donation categories. ${error?.message} We’ve kept what you entered, and nothing was charged.`}
        onTryAgain={onTryAgain}
      >
        <p className="muted">Loading the donation categories…</p>
      </NotLoaded>
    </section>
  );
}
