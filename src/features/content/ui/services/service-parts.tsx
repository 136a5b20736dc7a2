import type { Organisation } from "#shared/organisation.ts";
import type { Question, ServiceFigure } from "../../content.ts";

export function Figures({ figures }: { figures: readonly ServiceFigure[] }) {
  return (
    <ul className="figures tile-bg">
      {figures.map(({ figure, words }) => (
        <li key={words}>
          <b className="num">{figure}</b> {words}
        </li>
      ))}
    </ul>
  );
}

/** Questions that open to show their answers, without a script. */
export function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <>
      <h2>Questions that donors ask</h2>
      <div className="questions">
        {questions.map(({ question, answer }) => (
          <details key={question} className="details">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </>
  );
}

/** What happens to a donation and how to check it. `donation` is the service's own first sentence. */
export function YourDonation({ organisation, donation }: { organisation: Organisation; donation: string }) {
  const { name, supports, registration } = organisation;
  return (
    <section className="your-donation wide">
      <h2>What happens to your gift</h2>
      <p>
        {donation} Gifts made to {name} go to {supports}, for the cause that you choose on the donation form. Every fee
        is shown before you pay.
      </p>
      <p>
        We email your receipt once the payment has gone through. We are a registered charity:{" "}
        <a href={registration.url} rel="external noopener">
          see our entry on the charity register
        </a>
        .
      </p>
    </section>
  );
}
