import { paths } from "#shared/paths.ts";
import type { ArticleCard } from "../../content.ts";
import { NewsCard } from "../news-card.tsx";

/** News and articles, newest first (HOME-10). */
export function News({ news }: { news: readonly ArticleCard[] }) {
  return (
    <section className="section news" aria-labelledby="news-title">
      <div className="wrap" data-rise="">
        <div className="sec-head">
          <div>
            <h2 id="news-title">News and articles</h2>
          </div>
          <a className="btn btn-quiet" href={paths.news}>
            All news and articles
          </a>
        </div>
        <ul className="grid-3 news-list">
          {news.map((article) => (
            <NewsCard
              key={article.slug}
              article={article}
              heading="h3"
              sizes="(min-width: 1025px) 25rem, (min-width: 641px) 40vw, 100vw"
            />
          ))}
        </ul>
      </div>
    </section>
  );
}
