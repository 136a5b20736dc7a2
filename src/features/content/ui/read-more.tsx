import { cutText } from "../excerpt.ts";

type ReadMoreProps = { text: string; cutAt: number; about: string };

/**
 * A text that shows its beginning, and all of it on request; short texts show whole without a toggle. It is markup alone,
 * so it works without a script (HOME-12), and being open is nobody's business but the page's (HOME-11).
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
