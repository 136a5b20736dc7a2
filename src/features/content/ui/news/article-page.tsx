import { pictureWords } from "#shared/images/picture-words.ts";
import { acrossPhone, ContentPicture } from "#shared/images/ui/picture.tsx";
import { paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb } from "#shared/ui/page-navigation.tsx";
import { Prose } from "#shared/ui/prose.tsx";
import type { Article } from "../../content.ts";
import { Day } from "../day.tsx";

export function ArticlePage({ article, trail }: { article: Article; trail: readonly Crumb[] }) {
  const { title, date, excerpt, picture, alt, html } = article;
  return (
    <article>
      <header className="article-head deep">
        <div className="wrap">
          <div>
            <Breadcrumbs trail={trail} />
            <h1 dir="auto">{title}</h1>
            <p className="lede" dir="auto">
              {excerpt}
            </p>
            <p className="dated">
              <Day date={date} />
            </p>
          </div>
          <ContentPicture
            picture={picture}
            alt={alt ?? pictureWords(picture.address) ?? ""}
            sizes={`(min-width: 821px) 39rem, ${acrossPhone}`}
            className={picture.height > picture.width ? "pic is-tall" : "pic"}
            isEager
          />
        </div>
      </header>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap with-aside article-body">
        {html === "" ? <p dir="auto">{excerpt}</p> : <Prose html={html} />}
        <HelpAside />
      </div>
    </article>
  );
}

function HelpAside() {
  return (
    <aside className="stack" aria-label="What to do next">
      <section className="plain-card give" aria-labelledby="give-title">
        <h2 id="give-title">Be part of the next story</h2>
        <p className="muted">Donate by card in four short steps. We email your receipt.</p>
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
