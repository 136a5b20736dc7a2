import { paths } from "#shared/paths.ts";

/** The banner (HOME-1). */
export function Hero() {
  return (
    <section className="hero deep">
      <div className="wrap">
        <div className="copy">
          <p className="tag-line">Helping Today. Shaping Tomorrow</p>
          <h1>Give a child the Gift of Education</h1>
          <a className="btn btn-cta btn-lg" href={paths.donation}>
            Donate Now
          </a>
        </div>
        <img
          className="art"
          src="/identity/illustrations/hero-girl-reading.svg"
          width={900}
          height={980}
          fetchPriority="high"
          alt="A girl in an indigo shawl reads a book beside a mountain spring; star tiles rise from the page"
        />
      </div>
    </section>
  );
}
