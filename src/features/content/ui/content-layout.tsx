import type { ReactNode } from "react";
import type { Picture } from "#shared/images/picture.ts";
import { pictureWords } from "#shared/images/picture-words.ts";
import { acrossPhone, ContentPicture } from "#shared/images/ui/picture.tsx";
import type { Organisation } from "#shared/organisation.ts";
import { donationTo, paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb, PageLinks } from "#shared/ui/page-navigation.tsx";

/** What every content page knows about its place in the site. */
export type ContentPlace = {
  readonly organisation: Organisation;
  readonly path: string;
  readonly trail: readonly Crumb[];
  /** The related pages for the side navigation, if any. */
  readonly neighbours?: Neighbours | undefined;
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
  /** The picture's alternative text, if not known from its address. */
  alt?: string | undefined;
  /** The cause, as named in the call to donate. */
  giveTo?: string | undefined;
  /** Leaves out the call to donate. */
  isQuiet?: boolean;
  /** The key of the donation category that the call to donate selects. */
  cause?: string | undefined;
  /** Shown in the head, below the lede. */
  action?: ReactNode;
  children: ReactNode;
};

const LONG_TITLE = 40;

/** A content page: a head with one arched picture, the article, and beside it the call to donate and related pages. */
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
            <h1 className={title.length > LONG_TITLE ? "is-long" : undefined} dir="auto">
              {title}
            </h1>
            {lede !== undefined && (
              <p className="lede" dir="auto">
                {lede}
              </p>
            )}
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

/** Square drawings are symbols and stand free of the frame; scenes and photographs fill the arch. */
function Arch({ picture, alt }: { picture: Picture; alt: string }) {
  const isSign = picture.widths.length === 0 && picture.width === picture.height;
  return (
    <div className="jharokha content-arch">
      <div className="jharokha">
        <div className={isSign ? "jharokha is-sign" : "jharokha"}>
          <ContentPicture picture={picture} alt={alt} sizes={`(min-width: 52rem) 33rem, ${acrossPhone}`} isEager />
        </div>
      </div>
    </div>
  );
}

function GiveCard({ giveTo, cause }: Pick<ContentLayoutProps, "giveTo" | "cause">) {
  return (
    <section className="plain-card give" aria-labelledby="give-title">
      <h2 id="give-title">{giveTo === undefined ? "Support this work" : `Give to ${giveTo}`}</h2>
      <p className="muted">By card in four short steps, or by bank deposit. We email your receipt.</p>
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
      <PageLinks links={links} path={path} />
    </nav>
  );
}
