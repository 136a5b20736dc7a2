import type { Paged } from "#shared/contract/paging.ts";
import type { EventCard } from "#shared/events/event.ts";
import type { Picture } from "#shared/images/picture.ts";
import type { IntroductionReads } from "#shared/pages/introduction.ts";
import type { GeneralPageType, Home } from "./contract.ts";
import type { HomeTexts, TileTexts } from "./home-texts.ts";
import type { ServiceType } from "./services.ts";

type Titled = { readonly title: string; readonly picture: Picture };

/** The picture's alternative text: "" if it only decorates, undefined if staff have not said. */
type Described = { readonly alt?: string | undefined };

/** What the home page shows. `date` is YYYY-MM-DD throughout. */
export type HomeContent = {
  readonly texts: HomeTexts;
  /** Plain text of the chairman's message; null until there is one. */
  readonly message: (Titled & Described & { readonly text: string }) | null;
  readonly causes: readonly (Titled & Described & { readonly description: string })[];
  readonly testimonials: readonly (Titled & Described)[];
  readonly gallery: readonly Titled[];
  readonly news: readonly ArticleCard[];
  /** The addresses of services that nothing leads to now. */
  readonly takenDown: readonly string[];
};

/** A page whose text staff write. `html` is sanitised. */
export type WrittenPage = {
  readonly title: string;
  /** For search engines, with the placeholders that are in it. */
  readonly description: string;
  readonly html: string;
  readonly picture: Picture | null;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly updatedAt: Date;
} & Described;
/** A page that the charity has added. `html` is sanitised, `picture` null for none. */
export type OwnPage = Pick<WrittenPage, "title" | "html" | "picture"> &
  Described & {
    /** Below the title; empty for none. */
    readonly summary: string;
    /** For search engines: the summary, or the beginning of the text. */
    readonly description: string;
  };
export type WrittenPageType = Exclude<GeneralPageType, ServiceType> | "world" | LegalPageType;
export type LegalPageType = "privacy" | "refunds" | "terms" | "accessibility";

/** A number that stands out: '1,800+', and what there are so many of. */
export type ServiceFigure = { readonly figure: string; readonly words: string };

/** A question that donors ask. */
export type Question = { readonly question: string; readonly answer: string };

/** The page of a service. `html` is sanitised. */
export type Service = {
  readonly title: string;
  /** For search engines and shared links. */
  readonly summary: string;
  readonly lede: string;
  /** The service's name in the call to donate. */
  readonly giveTo: string;
  /** The key of the donation category that this call selects; '' for none. */
  readonly cause: string;
  /** A sentence on what a donation to it pays for. */
  readonly donation: string;
  readonly figures: readonly ServiceFigure[];
  readonly html: string;
  readonly questions: readonly Question[];
  readonly picture: Picture;
} & Described;

export type ArticleCard = Titled & { readonly slug: string; readonly excerpt: string; readonly date: string };
export type Article = ArticleCard & Described & { readonly html: string; readonly updatedAt: Date };

export type GalleryPicture = Titled &
  Described & {
    readonly id: number;
    readonly description: string;
    readonly date: string;
    readonly createdBy: string;
  };

/** What pages read of the content. `after` is the `next` of an earlier page; an invalid one gives null. */
export type ContentReads = IntroductionReads & {
  findHome(): Promise<HomeContent>;
  /** The words of the tiles, with the placeholders that are in them. */
  findTiles(): Promise<TileTexts>;
  findWrittenPage(type: WrittenPageType): Promise<WrittenPage | null>;
  findService(type: ServiceType): Promise<Service | null>;
  findOwnPage(slug: string): Promise<OwnPage | null>;
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
