import type { ReactNode } from "react";
import type { Picture } from "#shared/images/picture.ts";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { donationTo, paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb } from "#shared/ui/breadcrumbs.tsx";
import { pictureWords } from "./picture-words.ts";

/** What every content page is told of where it stands. */
export type ContentPlace = {
  readonly organisation: Organisation;
  readonly path: string;
  readonly trail: readonly Crumb[];
  /** The pages beside this one, for the side navigation; none for a page that stands alone. */
  readonly neighbours?: Neighbours;
};
export type Neighbours = {
  readonly label: string;
  readonly links: readonly { readonly label: string; readonly path: string }[];
};

type ContentLayoutProps = {
  place: ContentPlace;
  title: string;
  lede?: string;
  picture: Picture | null;
  /** What the picture shows, where that is known better than from the picture's address. */
  alt?: string | undefined;
  /** Names the cause in the call to give. */
  giveTo?: string | undefined;
  /** No call to give beside the text. */
  isQuiet?: boolean;
  /** The key of the category that the call to give chooses. */
  cause?: string | undefined;
  /** Stands in the head, below the lede. */
  action?: ReactNode;
  children: ReactNode;
};

const LONG_TITLE = 40;

/** A content page: head with the one arched picture, the article, and beside it the way to give and the pages of its kind. */
export function ContentLayout({
  place,
  title,
  lede,
  picture,
  alt,
  giveTo,
  isQuiet,
  cause,
  action,
  children,
}: ContentLayoutProps) {
  const { trail, path, neighbours } = place;
  return (
    <>
      <div className="content-head deep">
        <div className={picture === null ? "wrap" : "wrap with-arch"}>
          <div className="words">
            <Breadcrumbs trail={trail} />
            <h1 className={title.length > LONG_TITLE ? "is-long" : undefined}>{title}</h1>
            {lede !== undefined && <p className="lede">{lede}</p>}
            {action}
          </div>
          {picture !== null && <Arch picture={picture} alt={alt ?? pictureWords(picture.address) ?? ""} />}
        </div>
      </div>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap with-aside content-body">
        <article>{children}</article>
        <aside>
          {!isQuiet && <GiveCard giveTo={giveTo} cause={cause} />}
          {neighbours !== undefined && <SideNav {...neighbours} path={path} />}
        </aside>
      </div>
    </>
  );
}

/** Within a frame and its line of grout. Square drawings are signs that stand free; scenes and photographs fill the arch. */
function Arch({ picture, alt }: { picture: Picture; alt: string }) {
  const isSign = picture.widths.length === 0 && picture.width === picture.height;
  return (
    <div className="jharokha content-arch">
      <div className="jharokha">
        <div className={isSign ? "jharokha is-sign" : "jharokha"}>
          <ContentPicture picture={picture} alt={alt} sizes="(min-width: 52rem) 33rem, 100vw" isEager />
        </div>
      </div>
    </div>
  );
}

function GiveCard({ giveTo, cause }: Pick<ContentLayoutProps, "giveTo" | "cause">) {
  return (
    <section className="plain-card give" aria-labelledby="give-title">
      <h2 id="give-title">{giveTo === undefined ? "Support this work" : `Give to ${giveTo}`}</h2>
      <p className="muted">By card in four short steps, or by bank deposit. The receipt comes by e-mail.</p>
      <a className="btn btn-cta btn-lg btn-block" href={cause === undefined ? paths.donation : donationTo(cause)}>
        Donate Now
      </a>
    </section>
  );
}

function SideNav({ label, links, path }: Neighbours & { path: string }) {
  return (
    <nav className="plain-card side-nav" aria-label={label}>
      <h2>{label}</h2>
      <ul>
        {links.map((link) => (
          <li key={link.path}>
            <a href={link.path} aria-current={link.path === path ? "page" : undefined}>
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
