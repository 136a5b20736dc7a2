import type { Organisation } from "#shared/organisation.ts";
import type { HomeContent } from "../../content.ts";
import { Tiles } from "../tiles.tsx";
import { AboutBlock } from "./about-block.tsx";
import { Causes } from "./causes.tsx";
import { GalleryBlock } from "./gallery-block.tsx";
import { GiftCards } from "./gift-cards.tsx";
import { Hero } from "./hero.tsx";
import { News } from "./news.tsx";
import { Testimonials } from "./testimonials.tsx";

/** Home, top to bottom. A block without content is left out whole. */
export function HomePage({ home, organisation }: { home: HomeContent; organisation: Organisation }) {
  return (
    <>
      <Hero />
      <GiftCards />
      {home.message !== null && <AboutBlock message={home.message} supports={organisation.supports} />}
      {home.causes.length > 0 && <Causes causes={home.causes} />}
      {home.testimonials.length > 0 && <Testimonials testimonials={home.testimonials} />}
      <GalleryBlock pictures={home.gallery} />
      <Tiles />
      {home.news.length > 0 && <News news={home.news} />}
    </>
  );
}
