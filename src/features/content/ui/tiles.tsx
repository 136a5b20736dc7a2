import { contactAbout, paths } from "#shared/paths.ts";
import { invitations } from "#shared/ui/invitations.ts";
import type { TileTexts } from "../home-texts.ts";

/** Whether the site takes applications from volunteers. */
const hasVolunteers = invitations.some(({ path }) => path === paths.volunteer);

const listTiles = (texts: TileTexts) =>
  [
    {
      label: texts.tileVolunteerTitle,
      text: texts.tileVolunteerText,
      image: "spot-volunteer",
      path: paths.volunteer,
    },
    {
      label: texts.tileFundraisingTitle,
      text: texts.tileFundraisingText,
      image: "spot-fundraise",
      path: contactAbout("Quick fundraising"),
    },
    { label: texts.tileDonateTitle, text: texts.tileDonateText, image: "spot-donate", path: paths.donation },
  ].filter(({ label, path }) => label !== "" && (path !== paths.volunteer || hasVolunteers));

/** Ways to help (HOME-9), in the words of the home page. */
export function Tiles({ texts }: { texts: TileTexts }) {
  const tiles = listTiles(texts);
  if (tiles.length === 0) return null;
  return (
    <section className="tiles" aria-labelledby="tiles-title">
      <h2 className="sr" id="tiles-title">
        {texts.tilesHeading}
      </h2>
      <div className="wrap" data-rise="">
        <ul className="tile-row">
          {tiles.map(({ label, text, image, path }) => (
            <li key={path} className="tl">
              <img src={`/identity/illustrations/${image}.svg`} alt="" width={320} height={320} loading="lazy" />
              <div>
                <h3>
                  <a href={path}>{label}</a>
                </h3>
                {text !== "" && <p>{text}</p>}
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
