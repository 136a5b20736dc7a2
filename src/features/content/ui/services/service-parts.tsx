import type { ReactNode } from "react";
import { describeDrawing } from "#shared/images/drawings.ts";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { pictureWords } from "../picture-words.ts";

export type Entry = readonly [term: string, text: ReactNode];

/** Figures worth seeing from afar, each with the words that make it one statement. */
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

/**
 * What follows what, on a thread. As a `road` it runs from left to right where there is room; as a `day` the hours stand
 * in a column of their own.
 */
export function Thread({ steps, as }: { steps: readonly Entry[]; as?: "road" | "day" }) {
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
export function Facets({ facets }: { facets: readonly Entry[] }) {
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

/** Parts of a story that weigh the same, each with its name beside it. */
export function Chapters({ chapters }: { chapters: readonly Entry[] }) {
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
export function Needs({ needs }: { needs: readonly Entry[] }) {
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

/** Questions that open to their answers, without a script. */
export function Questions({ questions }: { questions: readonly Entry[] }) {
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

/** A drawing of the identity between two parts of a text. */
export function Drawing({ name, caption }: { name: string; caption: string }) {
  const picture = describeDrawing(`/identity/illustrations/${name}.svg`);
  return (
    <figure className="drawing wide">
      <ContentPicture picture={picture} alt={pictureWords(picture.address) ?? ""} sizes="50rem" />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** What becomes of a gift, and how one can check it; the first sentence is each service's own. */
export function YourGift({ organisation, children }: { organisation: Organisation; children: ReactNode }) {
  const { name, supports, registration } = organisation;
  return (
    <section className="your-gift wide">
      <h2>What happens to your gift</h2>
      <p>
        {children} Gifts made to {name} go to {supports}, for the cause that you choose on the donation form. Every fee
        is shown before you pay.
      </p>
      <p>
        Your receipt is e-mailed once the payment has gone through. We are a registered charity:{" "}
        <a href={registration.url} rel="external noopener">
          see our entry on the charity register
        </a>
        .
      </p>
    </section>
  );
}
