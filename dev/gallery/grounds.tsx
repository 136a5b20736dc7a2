import { Part, Sample } from "./part.tsx";

export function Grounds() {
  return (
    <Part id="grounds" title="Grounds, strips, paper">
      <Sample title="Grounds" note="A pattern is a wall: never behind a form or a long text.">
        <div className="ground deep">
          <p className="lede">Deep: hero and footer.</p>
          <p className="muted">Muted on deep.</p>
        </div>
        <div className="ground tile-bg">
          <p className="lede">Tile: one band of a page.</p>
          <p className="muted">Muted on tile.</p>
        </div>
        <div className="ground paper-bg">
          <p className="lede">Paper: behind cards.</p>
          <p className="muted">Muted on paper.</p>
        </div>
      </Sample>
      <Sample
        title="Strips"
        note="Ajrak between zones, on top of dialogs; scallops on top of the page and nowhere else."
      >
        <div className="stack">
          <div className="strip-ajrak" aria-hidden="true" />
          <div className="strip-scallop" aria-hidden="true" />
        </div>
      </Sample>
      <Sample title="On paper" note="Print this page: what one presses is gone, and the link says where it leads.">
        <article className="prose">
          <p>
            An article keeps its text, its pictures and its tables whole, in black on white. The register of charities
            is kept by{" "}
            <a href="https://www.acnc.gov.au/charity">the Australian Charities and Not-for-profits Commission</a>.
          </p>
          <ul>
            <li>Headings stay with what they head.</li>
            <li>What opens is open.</li>
          </ul>
        </article>
      </Sample>
    </Part>
  );
}
