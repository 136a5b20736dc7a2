import type { ReactNode } from "react";
import { describeDrawing } from "#shared/images/drawings.ts";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { pictureWords } from "../picture-words.ts";

export type ServiceEntry = readonly [term: string, text: ReactNode];

export function Figures({ figures }: { figures: readonly (readonly [figure: string, of: string])[] }) {
  return (
    <ul className="figures tile-bg wide">
      {figures.map(([figure, of]) => (
        <li key={of}>
          <b className="num">{figure}</b> {of}
        </li>
      ))}
    </ul>
  );
}

/** Steps in order. A `road` runs from left to right where there is room; a `day` has its hours in a separate column. */
export function Thread({ steps, as }: { steps: readonly ServiceEntry[]; as?: "road" | "day" }) {
  return (
    <ol className={as === undefined ? "thread" : `thread ${as} wide`}>
      {steps.map(([name, text]) => (
        <li key={name}>
          <h3>{name}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

/** Things of one kind beside each other. */
export function Facets({ facets }: { facets: readonly ServiceEntry[] }) {
  return (
    <ul className="facets wide">
      {facets.map(([name, text]) => (
        <li key={name}>
          <h3>{name}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** Parts of equal weight, each with its name beside it. */
export function Chapters({ chapters }: { chapters: readonly ServiceEntry[] }) {
  return (
    <div className="chapters wide">
      {chapters.map(([name, text]) => (
        <section key={name}>
          <h3>{name}</h3>
          <p>{text}</p>
        </section>
      ))}
    </div>
  );
}

/** What a gift pays for, each with its reason. */
export function Needs({ needs }: { needs: readonly ServiceEntry[] }) {
  return (
    <dl className="needs">
      {needs.map(([what, why]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{why}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Questions that open to show their answers, without a script. */
export function Questions({ questions }: { questions: readonly ServiceEntry[] }) {
  return (
    <div className="questions">
      {questions.map(([question, answer]) => (
        <details key={question} className="details">
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  );
}

/** One of our drawings, between two parts of a text. */
export function Drawing({ name, caption }: { name: string; caption: string }) {
  const picture = describeDrawing(`/identity/illustrations/${name}.svg`);
  return (
    <figure className="drawing wide">
      <ContentPicture picture={picture} alt={pictureWords(picture.address) ?? ""} sizes="50rem" />
      <figcaption>{caption}</figcaption>
    </figure>
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
