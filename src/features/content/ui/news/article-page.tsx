import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb } from "#shared/ui/breadcrumbs.tsx";
import type { Article } from "../../content.ts";
import { Day } from "../day.tsx";
import { pictureWords } from "../picture-words.ts";
import { Prose } from "../prose.tsx";

/** One article, with a way to help beside it. */
export function ArticlePage({ article, trail }: { article: Article; trail: readonly Crumb[] }) {
  const { title, date, excerpt, picture, html } = article;
  return (
    <article>
      <header className="article-head deep">
        <div className="wrap">
          <div>
            <Breadcrumbs trail={trail} />
            <h1>{title}</h1>
            <p className="lede">{excerpt}</p>
            <p className="dated">
              <Day date={date} />
            </p>
          </div>
          <ContentPicture
            picture={picture}
            alt={pictureWords(picture.address) ?? ""}
            sizes="(min-width: 821px) 39rem, 100vw"
            className={picture.height > picture.width ? "pic is-tall" : "pic"}
            isEager
          />
        </div>
      </header>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap with-aside article-body">
        {html === "" ? <p>{excerpt}</p> : <Prose html={html} />}
        <HelpAside />
      </div>
    </article>
  );
}

function HelpAside() {
  return (
    <aside className="stack" aria-label="Ways on from here">
      <section className="plain-card give" aria-labelledby="give-title">
        <h2 id="give-title">Be part of the next story</h2>
        <p className="muted">Give by card in four short steps. The receipt comes by e-mail.</p>
        <a className="btn btn-cta btn-block btn-lg" href={paths.donation}>
          Donate Now
        </a>
      </section>
      <a className="btn btn-quiet btn-block" href={paths.news}>
        All news and articles
      </a>
    </aside>
  );
}
