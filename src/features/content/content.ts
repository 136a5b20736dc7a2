import type { EventCard, EventDetails } from "#shared/events/event.ts";
import type { Picture } from "#shared/images/picture.ts";
import type { Paged } from "#shared/paging.ts";
import type { GeneralPageType, Home } from "./contract.ts";

/** A picture with its title. */
type Titled = { readonly title: string; readonly picture: Picture };

/** What the home page shows. `date` is YYYY-MM-DD throughout. */
export type HomeContent = {
  /** The chairman's message in words, without its markup; null until there is one. */
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

/** Everything that pages read of the content. `after` is where a list goes on; a list that cannot go on there is null. */
export type ContentReads = {
  findHome(): Promise<HomeContent>;
  findWrittenPage(type: WrittenPageType): Promise<WrittenPage | null>;
  /** A written page with its placeholders filled in. */
  findLegalPage(type: LegalPageType): Promise<WrittenPage | null>;
  /** To come, the next one first; then over, the latest first. */
  listEvents(after?: string): Promise<Paged<EventCard> | null>;
  findEvent(slug: string): Promise<EventDetails | null>;
  listNews(after?: string): Promise<Paged<ArticleCard> | null>;
  findArticle(slug: string): Promise<Article | null>;
  listGallery(after?: string): Promise<Paged<GalleryPicture> | null>;
  /** Every page that content makes or changes, with the day of its last change. */
  listChanges(): Promise<readonly PageChange[]>;
};

export type PageChange = { readonly path: string; readonly changedAt: Date };

/** The home call's answer, whose images are addresses. */
export function homeOnWire({ message, causes, testimonials, news }: HomeContent): Home {
  const image = ({ title, picture }: Titled) => ({ title, image: picture.address });
  return {
    chairmanMessages: message === null ? [] : [image(message)],
    causes: causes.map((cause) => ({ ...image(cause), description: cause.description })),
    testimonials: testimonials.map(image),
    news: news.map((article) => ({ ...image(article), excerpt: article.excerpt, date: article.date })),
  };
}
