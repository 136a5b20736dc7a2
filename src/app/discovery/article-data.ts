import type { Article } from "#features/content/content.ts";
import type { PageContext } from "../rendering/page.ts";
import { organisationId } from "./structured-data.ts";

/** An article as search engines read it, a schema.org item. */
export function articleData(article: Article, { publicUrl, path }: PageContext): object {
  const organisation = { "@id": organisationId(publicUrl) };
  return {
    "@type": "Article",
    headline: article.title,
    description: article.excerpt,
    datePublished: article.date,
    dateModified: article.updatedAt.toISOString(),
    image: [publicUrl + article.picture.address],
    author: organisation,
    publisher: organisation,
    mainEntityOfPage: publicUrl + path,
  };
}
