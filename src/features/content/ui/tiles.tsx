import { contactAbout, paths } from "#shared/paths.ts";
import { invitations } from "#shared/ui/invitations.ts";

const tiles = [
  ...invitations,
  {
    label: "Quick fundraising",
    text: "Collect donations from friends and family.",
    image: "spot-fundraise",
    path: contactAbout("Quick fundraising"),
  },
  {
    label: "Start donating",
    text: "Four short steps, and a receipt by email.",
    image: "spot-donate",
    path: paths.donation,
  },
];

/** Ways to help (HOME-9). */
export function Tiles() {
  return (
    <section className="tiles" aria-labelledby="tiles-title">
      <h2 className="sr" id="tiles-title">
        Ways to help
      </h2>
      <div className="wrap" data-rise="">
        <ul className="tile-row">
          {tiles.map(({ label, text, image, path }) => (
            <li key={label} className="tl">
              <img src={`/identity/illustrations/${image}.svg`} alt="" width={320} height={320} loading="lazy" />
              <div>
                <h3>
                  <a href={path}>{label}</a>
                </h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
