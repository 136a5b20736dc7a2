import { NEWS_CUT } from "#shared/excerpt.ts";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { articlePath } from "#shared/paths.ts";
import type { ArticleCard } from "../content.ts";
import { Day } from "./day.tsx";
import { ReadMore } from "./read-more.tsx";

type NewsCardProps = { article: ArticleCard; sizes: string; heading: "h2" | "h3"; isEager?: boolean };

/** An article in a list (HOME-10). The heading's link covers the whole card, below the toggle. */
export function NewsCard({ article, sizes, heading: Heading, isEager = false }: NewsCardProps) {
  const { slug, title, excerpt, date, picture } = article;
  return (
    <li className="card">
      <div className="media">
        <ContentPicture picture={picture} alt="" sizes={sizes} isEager={isEager} />
      </div>
      <div className="body">
        <Day date={date} />
        <Heading className="card-title" dir="auto">
          <a href={articlePath(slug)}>{title}</a>
        </Heading>
        <ReadMore text={excerpt} cutAt={NEWS_CUT} about={title} />
      </div>
    </li>
  );
}
