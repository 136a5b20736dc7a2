import { contactAbout, paths } from "#shared/paths.ts";

const tiles = [
  {
    title: "Become a volunteer",
    says: "Give an afternoon or a skill.",
    image: "spot-volunteer",
    path: paths.volunteer,
  },
  {
    title: "Quick fundraising",
    says: "Gather gifts from friends and family.",
    image: "spot-fundraise",
    path: contactAbout("Quick fundraising"),
  },
  {
    title: "Start donating",
    says: "Four short steps, and a receipt by e-mail.",
    image: "spot-donate",
    path: paths.donation,
  },
];

/** Three ways to help (HOME-9). */
export function Tiles() {
  return (
    <section className="tiles" aria-labelledby="tiles-title">
      <h2 className="sr" id="tiles-title">
        Ways to help
      </h2>
      <div className="wrap" data-rise="">
        <ul className="tile-row">
          {tiles.map(({ title, says, image, path }) => (
            <li key={title} className="tl">
              <img src={`/identity/illustrations/${image}.svg`} alt="" width={320} height={320} loading="lazy" />
              <div>
                <h3>
                  <a href={path}>{title}</a>
                </h3>
                <p>{says}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
