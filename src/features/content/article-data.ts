import { organisationId } from "#shared/organisation.ts";
import type { Article } from "./content.ts";

/** The schema.org item of an article, for search engines. */
export function articleData(article: Article, { publicUrl, path }: { publicUrl: string; path: string }): object {
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
