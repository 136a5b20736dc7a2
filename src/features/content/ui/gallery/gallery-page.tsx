import type { Paged } from "#shared/contract/paging.ts";
import type { Picture } from "#shared/images/picture.ts";
import { acrossPhone, ContentPicture, inCard } from "#shared/images/ui/picture.tsx";
import { paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { Crumb } from "#shared/ui/page-navigation.tsx";
import type { GalleryPicture } from "../../content.ts";
import type { TileTexts } from "../../home-texts.ts";
import { Day } from "../day.tsx";
import { ListHead } from "../list-head.tsx";
import { ListPager } from "../list-pager.tsx";
import { Mosaic } from "../mosaic.tsx";
import { ScrollRegion } from "../scroll-region.tsx";
import { Tiles } from "../tiles.tsx";

type GalleryPageProps = {
  gallery: Paged<GalleryPicture>;
  lede: string;
  tiles: TileTexts;
  isFirst: boolean;
  trail: readonly Crumb[];
};

/** Every picture, newest first (PAGE-6). A card links to its file, which the viewer's script opens on the page. */
export function GalleryPage({ gallery: { items, next }, lede, tiles, isFirst, trail }: GalleryPageProps) {
  return (
    <>
      <ListHead title="Gallery" text={isEmpty(items) ? soon : lede} trail={trail} />
      <div className="section paper-bg">
        <div className="wrap">
          {isEmpty(items) && isFirst && <Mosaic />}
          {!isEmpty(items) && (
            <ul className={`grid-lead gallery-list${isFirst ? " has-lead" : ""}`} data-enhance="gallery">
              {items.map((item, index) => (
                <PictureCard key={item.id} item={item} isLead={isFirst && index === 0} isEager={index === 0} />
              ))}
            </ul>
          )}
          <ListPager
            path={paths.gallery}
            next={next}
            isFirst={isFirst}
            older="Older pictures"
            newest="Newest pictures"
          />
        </div>
      </div>
      <Tiles texts={tiles} />
      {!isEmpty(items) && <Viewer />}
    </>
  );
}

const soon = "Pictures from the field will appear here.";
const isEmpty = (items: readonly unknown[]) => items.length === 0;

type PictureCardProps = { item: GalleryPicture; isLead: boolean; isEager: boolean };

function PictureCard({ item, isLead, isEager }: PictureCardProps) {
  const { title, description, date, createdBy, picture, alt } = item;
  return (
    <li className="card">
      <div className={picture.height > picture.width ? "media is-tall" : "media"}>
        <ContentPicture
          picture={picture}
          alt={alt ?? ""}
          sizes={isLead ? `(min-width: 1025px) 51rem, ${acrossPhone}` : inCard}
          isEager={isEager}
        />
      </div>
      <div className="body">
        <h2 className="card-title" dir="auto">
          <a href={largestFile(picture)}>{title}</a>
        </h2>
        {description !== "" && (
          <p className="says" dir="auto">
            {description}
          </p>
        )}
        <p className="made">
          <Day date={date} />{" "}
          <span>
            Created By <bdi>{createdBy}</bdi>
          </span>
        </p>
      </div>
    </li>
  );
}

function largestFile({ address, widths }: Picture): string {
  const widest = widths.at(-1);
  return widest === undefined ? address : `${address}/${widest}.jpg`;
}

/** Shows one picture at a time over the whole window; closed until its script opens it. */
function Viewer() {
  return (
    <dialog className="viewer" id="viewer" aria-label="Gallery">
      <button
        className="icon-btn viewer-close"
        type="button"
        aria-label="Close the gallery"
        {...{ command: "close", commandfor: "viewer" }}
      >
        <Icon name="x" />
      </button>
      <ScrollRegion className="viewer-track" label="Pictures" />
      <div className="viewer-foot">
        <div className="viewer-words" aria-live="polite" aria-atomic="true">
          <p className="count num" />
          <p className="title" dir="auto" />
          <p className="says" dir="auto" />
        </div>
        <button className="icon-btn" type="button" data-turn="-1" aria-label="Previous picture">
          <Icon name="left" />
        </button>
        <button className="icon-btn" type="button" data-turn="1" aria-label="Next picture">
          <Icon name="right" />
        </button>
      </div>
    </dialog>
  );
}
