import type { Paged } from "#shared/contract/paging.ts";
import type { EventCard } from "#shared/events/event.ts";
import type { Picture } from "#shared/images/picture.ts";
import type { GeneralPageType, Home } from "./contract.ts";

type Titled = { readonly title: string; readonly picture: Picture };

/** What the home page shows. `date` is YYYY-MM-DD throughout. */
export type HomeContent = {
  /** Plain text of the chairman's message; null until there is one. */
  readonly message: (Titled & { readonly text: string }) | null;
  readonly causes: readonly (Titled & { readonly description: string })[];
  readonly testimonials: readonly Titled[];
  readonly gallery: readonly Titled[];
  readonly news: readonly ArticleCard[];
};

/** A page whose text staff write. `html` is sanitised. */
export type WrittenPage = {
  readonly title: string;
  readonly html: string;
  readonly picture: Picture | null;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly updatedAt: Date;
};
export type WrittenPageType = GeneralPageType | "world" | LegalPageType;
export type LegalPageType = "privacy" | "refunds" | "terms" | "accessibility";

export type ArticleCard = Titled & { readonly slug: string; readonly excerpt: string; readonly date: string };
export type Article = ArticleCard & { readonly html: string; readonly updatedAt: Date };

export type GalleryPicture = Titled & {
  readonly id: number;
  readonly description: string;
  readonly date: string;
  readonly createdBy: string;
};

/** What pages read of the content. `after` is the `next` of an earlier page; an invalid one gives null. */
export type ContentReads = {
  findHome(): Promise<HomeContent>;
  findWrittenPage(type: WrittenPageType): Promise<WrittenPage | null>;
  findLegalPage(type: LegalPageType): Promise<WrittenPage | null>;
  /** Upcoming, soonest first; then past, latest first. */
  listEvents(after?: string): Promise<Paged<EventCard> | null>;
  listNews(after?: string): Promise<Paged<ArticleCard> | null>;
  findArticle(slug: string): Promise<Article | null>;
  listGallery(after?: string): Promise<Paged<GalleryPicture> | null>;
};

/** The answer of the home call; its images are addresses. */
export function homeOnWire({ message, causes, testimonials, news }: HomeContent): Home {
  const image = ({ title, picture }: Titled) => ({ title, image: picture.address });
  return {
    chairmanMessages: message === null ? [] : [image(message)],
    causes: causes.map((cause) => ({ ...image(cause), description: cause.description })),
    testimonials: testimonials.map(image),
    news: news.map((article) => ({ ...image(article), excerpt: article.excerpt, date: article.date })),
  };
}
