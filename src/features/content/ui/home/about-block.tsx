import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { paths } from "#shared/paths.ts";
import type { HomeContent } from "../../content.ts";

type AboutBlockProps = { message: NonNullable<HomeContent["message"]>; supports: string };

/** The chairman's message in short (HOME-3). */
export function AboutBlock({ message: { title, text, picture }, supports }: AboutBlockProps) {
  return (
    <section className="section about" aria-labelledby="about-title">
      <div className="wrap about-grid" data-rise="">
        <div className="jharokha pic">
          <ContentPicture
            picture={picture}
            alt={`Portrait of the chairman of ${supports}`}
            sizes="(min-width: 641px) 420px, 100vw"
          />
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
