import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { paths } from "#shared/paths.ts";
import type { HomeContent } from "../../content.ts";
import { Mosaic } from "../mosaic.tsx";

/** The six newest pictures (HOME-8); until there are any, a wall of tiles. */
export function GalleryBlock({ pictures }: { pictures: HomeContent["gallery"] }) {
  return (
    <section className="section gallery-block" aria-labelledby="gallery-title">
      <div className="wrap" data-rise="">
        <div className="sec-head">
          <div>
            <h2 id="gallery-title">Gallery</h2>
            <p className="lede">
              {pictures.length > 0 ? "Days at work, seen from close by." : "Pictures from the field will appear here."}
            </p>
          </div>
          <a className="btn btn-quiet" href={paths.gallery}>
            Visit the gallery
          </a>
        </div>
        {pictures.length > 0 ? <Pictures pictures={pictures} /> : <Mosaic />}
      </div>
    </section>
  );
}

/** The newest one is large. */
function Pictures({ pictures }: { pictures: HomeContent["gallery"] }) {
  return (
    <ul className="pictures">
      {pictures.map(({ title, picture }, index) => (
        <li key={title + picture.address}>
          <a href={paths.gallery}>
            <ContentPicture
              picture={picture}
              alt=""
              sizes={index === 0 ? "(min-width: 701px) 51rem, 100vw" : "(min-width: 701px) 25rem, 50vw"}
            />
            <span className="label">{title}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
