import { cutText } from "#shared/excerpt.ts";

type ReadMoreProps = { text: string; cutAt: number; about: string };

/**
 * Shows the start of a long text and the rest on request; a short text has no toggle. Works without a script (HOME-12),
 * and only the page knows whether it is open (HOME-11).
 */
export function ReadMore({ text, cutAt, about }: ReadMoreProps) {
  const cut = cutText(text, cutAt);
  if (cut === null) return <p>{text}</p>;
  return (
    <div className="read-more">
      <p className="cut">{cut}</p>
      <details>
        <summary className="link-btn">
          <span className="when-closed">Read More</span>
          <span className="when-open">Read Less</span>
          <span className="sr"> about {about}</span>
        </summary>
        <p>{text}</p>
      </details>
    </div>
  );
}
