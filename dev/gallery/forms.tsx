import { TotalSlip } from "#features/donations/ui/donate/total-slip.tsx";
import { ErrorSummary } from "#shared/ui/form-error-summary.tsx";
import { Steps } from "#shared/ui/form-steps.tsx";
import { Part, Sample } from "./part.tsx";

const stepNames = ["Personal", "Donation", "Payment", "Preview"];
const fees = { adminPercent: 5, cardPercent: 1.5, paypalPercent: 3 };
const priced = {
  subtotalCents: 10_000,
  adminFeeCents: 500,
  merchantFeeCents: 158,
  totalCents: 10_658,
  adminSharesCents: [],
  merchantSharesCents: [],
};

export function Forms() {
  return (
    <Part id="forms" title="Around a form">
      <Sample title="Errors above a form" note="Takes the focus when it appears; each line leads to its field.">
        <ErrorSummary
          shownAt={0}
          problems={[
            { fieldId: "wrong", message: "Post code must be four digits" },
            { fieldId: "wrong-hinted", message: "Invalid email format" },
          ]}
        />
      </Sample>
      <Sample title="The first step">
        <Steps names={stepNames} current={1} completed={[]} />
      </Sample>
      <Sample title="The third step, two completed">
        <Steps names={stepNames} current={3} completed={[1, 2]} />
        <p className="step-count">Step 3 of 4</p>
      </Sample>
      <Sample title="All completed">
        <Steps names={stepNames} current={5} completed={[1, 2, 3, 4]} />
      </Sample>
      <div className="pairs">
        <Sample title="What was entered">
          <dl className="sum">
            <div>
              <dt>Name</dt>
              <dd>Amina Raza</dd>
            </div>
            <div>
              <dt>Email</dt>
              <dd>amina@example.com</dd>
            </div>
          </dl>
        </Sample>
        <Sample title="What it costs">
          <TotalSlip priced={priced} deductibleCents={priced.subtotalCents} method="cc" fees={fees} />
        </Sample>
      </div>
    </Part>
  );
}
