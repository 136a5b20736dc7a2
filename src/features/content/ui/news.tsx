import type { Home } from "../contract.ts";
import { NEWS_CUT } from "../excerpt.ts";
import { ReadMore } from "./read-more.tsx";

const longDate = new Intl.DateTimeFormat("en-AU", { dateStyle: "long", timeZone: "UTC" });

/** News and articles, newest first (HOME-10). */
export function News({ news }: Pick<Home, "news">) {
  return (
    <section className="section news" aria-labelledby="news-title">
      <div className="wrap" data-rise="">
        <div className="sec-head">
          <div>
            <h2 id="news-title">News and articles</h2>
          </div>
        </div>
        <ul className="grid-3 news-list">
          {news.map(({ image, title, excerpt, date }) => (
            <li key={date + title} className="card">
              <div className="media">
                <img src={image} alt="" width={800} height={600} loading="lazy" />
              </div>
              <div className="body">
                <time dateTime={date}>{longDate.format(new Date(`${date}T00:00:00Z`))}</time>
                <h3>{title}</h3>
                <ReadMore text={excerpt} cutAt={NEWS_CUT} about={title} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
