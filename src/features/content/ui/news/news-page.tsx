import type { Paged } from "#shared/contract/paging.ts";
import { acrossPhone, inCard } from "#shared/images/ui/picture.tsx";
import { paths } from "#shared/paths.ts";
import type { Crumb } from "#shared/ui/page-navigation.tsx";
import type { ArticleCard } from "../../content.ts";
import type { TileTexts } from "../../home-texts.ts";
import { ListHead } from "../list-head.tsx";
import { ListPager } from "../list-pager.tsx";
import { NewsCard } from "../news-card.tsx";
import { Tiles } from "../tiles.tsx";

type NewsPageProps = {
  news: Paged<ArticleCard>;
  lede: string;
  tiles: TileTexts;
  isFirst: boolean;
  trail: readonly Crumb[];
};

/** Every article, newest first and large. */
export function NewsPage({ news: { items, next }, lede, tiles, isFirst, trail }: NewsPageProps) {
  return (
    <>
      <ListHead title="News and articles" text={lede} trail={trail} />
      <div className="section paper-bg">
        <div className="wrap">
          {items.length === 0 && (
            <p className="lede">{isFirst ? "The first article is on its way." : "There are no more articles."}</p>
          )}
          {items.length > 0 && (
            <ul className={isFirst ? "grid-lead has-lead" : "grid-lead"}>
              {items.map((article, index) => (
                <NewsCard
                  key={article.slug}
                  article={article}
                  heading="h2"
                  isEager={index === 0}
                  sizes={isFirst && index === 0 ? leadSizes : inCard}
                />
              ))}
            </ul>
          )}
          <ListPager path={paths.news} next={next} isFirst={isFirst} older="Older news" newest="Newest news" />
        </div>
      </div>
      <Tiles texts={tiles} />
    </>
  );
}

const leadSizes = `(min-width: 1025px) 51rem, ${acrossPhone}`;
