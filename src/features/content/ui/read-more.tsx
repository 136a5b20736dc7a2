import { cutText } from "#shared/excerpt.ts";

type ReadMoreProps = { text: string; cutAt: number; about: string };

/**
 * Shows the start of a long text and the rest on request; a short text has no toggle. Works without a script (HOME-12),
 * and only the page knows whether it is open (HOME-11).
 */
export function ReadMore({ text, cutAt, about }: ReadMoreProps) {
  const cut = cutText(text, cutAt);
  if (cut === null) return <p dir="auto">{text}</p>;
  return (
    <div className="read-more">
      <p className="cut" dir="auto">
        {cut}
      </p>
      <details>
        <summary className="link-btn">
          <span className="when-closed">Read More</span>
          <span className="when-open">Read Less</span>
          <span className="sr">
            {" "}
            about <bdi>{about}</bdi>
          </span>
        </summary>
        <p dir="auto">{text}</p>
      </details>
    </div>
  );
}
