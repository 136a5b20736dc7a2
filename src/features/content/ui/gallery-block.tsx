import { paths } from "#shared/paths.ts";
import type { GalleryPicture } from "../home-content.ts";

/** The six newest pictures (HOME-8); until there are any, a wall of tiles. */
export function GalleryBlock({ pictures }: { pictures: readonly GalleryPicture[] }) {
  return (
    <section className="section gallery-block" aria-labelledby="gallery-title">
      <div className="wrap" data-rise="">
        <div className="sec-head">
          <div>
            <h2 id="gallery-title">Gallery</h2>
            <p className="lede">
              {pictures.length > 0
                ? "Days at work, drawn from the field."
                : "Pictures from the field will appear here."}
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

function Pictures({ pictures }: { pictures: readonly GalleryPicture[] }) {
  return (
    <ul className="pictures">
      {pictures.map(({ title, image }) => (
        <li key={title + image}>
          <a href={paths.gallery}>
            <img src={image} alt="" width={800} height={600} loading="lazy" />
            <span>{title}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Mosaic() {
  return (
    <div className="mosaic" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}
