import { paths } from "#shared/paths.ts";

type AboutBlockProps = { image: string; title: string; text: string; supports: string };

/** The chairman's message in short (HOME-3). */
export function AboutBlock({ image, title, text, supports }: AboutBlockProps) {
  return (
    <section className="section about" aria-labelledby="about-title">
      <div className="wrap about-grid" data-rise="">
        <div className="jharokha pic">
          <img src={image} alt={`Portrait of the chairman of ${supports}`} width={720} height={800} loading="lazy" />
        </div>
        <div className="stack">
          <h2 id="about-title">{title}</h2>
          {text !== "" && <p className="lede">{text}</p>}
          <a className="btn btn-quiet" href={paths.chairmanMessage}>
            Read the chairman’s message
          </a>
        </div>
      </div>
    </section>
  );
}
