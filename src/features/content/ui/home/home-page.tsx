import { Fragment, type ReactNode } from "react";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import { acrossPhone, ContentPicture } from "#shared/images/ui/picture.tsx";
import { fillInNames, type Organisation } from "#shared/organisation.ts";
import { donationTo, paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { ArticleCard, HomeContent } from "../../content.ts";
import type { HomeTexts } from "../../home-texts.ts";
import { Mosaic } from "../mosaic.tsx";
import { NewsCard } from "../news-card.tsx";
import { Tiles } from "../tiles.tsx";
import { Carousel, Slide } from "./carousel.tsx";
import { Causes } from "./causes.tsx";

type HomePageProps = {
  home: HomeContent;
  organisation: Organisation;
  brand: Pick<BrandFrame, "hero" | "cards" | "home">;
};

/** The blocks in the order that staff chose. Leaves out those without content. */
export function HomePage({ home, organisation, brand }: HomePageProps) {
  const texts = fillInNames(home.texts, organisation);
  const blocks: Readonly<Record<string, ReactNode>> = {
    cards: <DonationCards texts={texts} pictures={brand.cards} />,
    about: home.message !== null && (
      <AboutBlock message={home.message} supports={organisation.supports} button={texts.messageButton} />
    ),
    causes: home.causes.length > 0 && <Causes causes={home.causes} texts={texts} takenDown={home.takenDown} />,
    donors: home.testimonials.length > 0 && <Testimonials testimonials={home.testimonials} texts={texts} />,
    gallery: <GalleryBlock pictures={home.gallery} texts={texts} />,
    tiles: <Tiles texts={texts} />,
    news: home.news.length > 0 && <News news={home.news} texts={texts} />,
  };
  return (
    <>
      <Hero texts={texts} shown={brand.hero} />
      {brand.home.map((name) => (
        <Fragment key={name}>{blocks[name]}</Fragment>
      ))}
    </>
  );
}

type AboutBlockProps = { message: NonNullable<HomeContent["message"]>; supports: string; button: string };

/** The start of the chairman's message (HOME-3). */
function AboutBlock({ message: { title, text, picture, alt }, supports, button }: AboutBlockProps) {
  return (
    <section className="section about" aria-labelledby="about-title">
      <div className="wrap about-grid" data-rise="">
        <div className="jharokha pic">
          <ContentPicture
            picture={picture}
            alt={alt ?? `Portrait of the chairman of ${supports}`}
            sizes={`(min-width: 641px) 420px, ${acrossPhone}`}
          />
        </div>
        <div className="stack">
          <h2 id="about-title" dir="auto">
            {title}
          </h2>
          {text !== "" && (
            <p className="lede" dir="auto">
              {text}
            </p>
          )}
          <a className="btn btn-quiet" href={paths.chairmanMessage}>
            {button}
          </a>
        </div>
      </div>
    </section>
  );
}

/** The six newest pictures (HOME-8), or a decorative mosaic if there are none. */
function GalleryBlock({ pictures, texts }: { pictures: HomeContent["gallery"]; texts: HomeTexts }) {
  const lede = pictures.length > 0 ? texts.galleryLede : texts.galleryEmpty;
  return (
    <section className="section gallery-block" aria-labelledby="gallery-title">
      <div className="wrap" data-rise="">
        <div className="sec-head">
          <div>
            <h2 id="gallery-title">{texts.galleryHeading}</h2>
            {lede !== "" && <p className="lede">{lede}</p>}
          </div>
          <a className="btn btn-quiet" href={paths.gallery}>
            {texts.galleryButton}
          </a>
        </div>
        {pictures.length > 0 ? <Pictures pictures={pictures} /> : <Mosaic />}
      </div>
    </section>
  );
}

function Pictures({ pictures }: { pictures: HomeContent["gallery"] }) {
  return (
    <ul className="pictures">
      {pictures.map(({ title, picture }, index) => (
        <li key={title + picture.address}>
          <a href={paths.gallery}>
            <ContentPicture
              picture={picture}
              alt=""
              sizes={index === 0 ? `(min-width: 701px) 51rem, ${acrossPhone}` : "(min-width: 701px) 25rem, 50vw"}
            />
            <span className="label" dir="auto">
              {title}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The cards that have a title (HOME-2), each with its drawing and its place among the brand's pictures. */
const listCards = (texts: HomeTexts) =>
  [
    { title: texts.card1Title, fund: texts.card1Fund, image: "school-outdoor-class", place: 0 },
    { title: texts.card2Title, fund: texts.card2Fund, image: "hospital", place: 1 },
    { title: texts.card3Title, fund: texts.card3Fund, image: "homes-courtyard", place: 2 },
  ].filter(({ title }) => title !== "");

function DonationCards({ texts, pictures }: { texts: HomeTexts; pictures: BrandFrame["cards"] }) {
  const cards = listCards(texts);
  if (cards.length === 0) return null;
  return (
    <section className="donation-cards" aria-labelledby="donation-cards-title">
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap">
        <h2 id="donation-cards-title" className="sr">
          {texts.cardsHeading}
        </h2>
        <div className="donation-card-row">
          {cards.map(({ title, fund, image, place }) => (
            <a
              key={place}
              className={`donation-card donation-card-${image}`}
              href={fund === "" ? paths.donation : donationTo(fund)}
            >
              <CardPicture picture={pictures[place] ?? "drawing"} drawing={image} />
              <span className="lab">
                {texts.cardsLabel !== "" && <small>{texts.cardsLabel} </small>}
                <b>{title}</b>
                <span className="go" aria-hidden="true">
                  <Icon name="right" />
                </span>
              </span>
            </a>
          ))}
        </div>
      </div>
    </section>
  );
}

function CardPicture({ picture, drawing }: { picture: BrandFrame["cards"][number]; drawing: string }) {
  if (picture === "nothing") return null;
  return (
    <span className="jharokha arch">
      {picture === "drawing" ? (
        <img
          className="jharokha"
          src={`/identity/illustrations/${drawing}.svg`}
          alt=""
          width={800}
          height={600}
          loading="lazy"
        />
      ) : (
        <ContentPicture className="jharokha" picture={picture} alt="" sizes="(min-width: 821px) 25rem, 7rem" />
      )}
    </span>
  );
}

/** The banner (HOME-1). */
function Hero({ texts, shown }: { texts: HomeTexts; shown: BrandFrame["hero"] }) {
  return (
    <section className="hero deep">
      <div className="wrap">
        <div className="copy">
          {texts.tagLine !== "" && <p className="tag-line">{texts.tagLine}</p>}
          <h1>{texts.headline}</h1>
          <a className="btn btn-cta btn-lg" href={paths.donation}>
            {texts.donateButton}
          </a>
        </div>
        <HeroPicture shown={shown} />
      </div>
    </section>
  );
}

function HeroPicture({ shown }: { shown: BrandFrame["hero"] }) {
  if (shown === "nothing") return null;
  if (shown !== "drawing") {
    const { picture, words } = shown;
    return (
      <ContentPicture className="art" picture={picture} alt={words} sizes="(min-width: 641px) 35rem, 22rem" isEager />
    );
  }
  return (
    <img
      className="art"
      src="/identity/illustrations/hero-girl-reading.svg"
      width={900}
      height={980}
      fetchPriority="high"
      alt="A girl in an indigo shawl reads a book beside a mountain spring; star tiles rise from the page"
    />
  );
}

function News({ news, texts }: { news: readonly ArticleCard[]; texts: HomeTexts }) {
  return (
    <section className="section news" aria-labelledby="news-title">
      <div className="wrap" data-rise="">
        <div className="sec-head">
          <div>
            <h2 id="news-title">{texts.newsHeading}</h2>
          </div>
          <a className="btn btn-quiet" href={paths.news}>
            {texts.newsButton}
          </a>
        </div>
        <ul className="grid-3 news-list">
          {news.map((article) => (
            <NewsCard
              key={article.slug}
              article={article}
              heading="h3"
              sizes={`(min-width: 1025px) 25rem, (min-width: 641px) 40vw, ${acrossPhone}`}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

/** The donors carousel (HOME-7) turns every ten seconds until it is stopped. */
function Testimonials({ testimonials, texts }: Pick<HomeContent, "testimonials" | "texts">) {
  return (
    <section className="section tile-bg voices" aria-labelledby="voices-title">
      <div className="wrap" data-rise="">
        <Carousel
          id="voices-title"
          title={texts.donorsHeading}
          lede={texts.donorsLede}
          name="Donors"
          previous="Previous donors"
          next="Next donors"
          every={10_000}
          className="by-width"
        >
          {testimonials.map(({ picture, alt, title }, index) => (
            <Slide key={title} position={index + 1} count={testimonials.length}>
              <figure className="face">
                <span className="jharokha">
                  <ContentPicture picture={picture} alt={alt ?? ""} sizes="17rem" />
                </span>
                <figcaption dir="auto">{title}</figcaption>
              </figure>
            </Slide>
          ))}
        </Carousel>
      </div>
    </section>
  );
}
