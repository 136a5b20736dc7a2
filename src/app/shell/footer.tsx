import type { ReactNode } from "react";
import { type AllMenus, groupLabel, legalLinks, type MenuLink } from "#features/content/menu-links.ts";
import { type BrandFrame, placeholderBadge } from "#shared/images/brand-frame.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import { Brand, Drawing, NativeName } from "#shared/ui/brand.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import demoBadge from "#shared/ui/identity/brand/badge-registered-charity-placeholder.svg?raw";
import { invitations } from "#shared/ui/invitations.ts";
import { ContactLines } from "./contact-lines.tsx";
import { DonateLink } from "./header.tsx";
import { relOf } from "./menu.ts";
import { Socials } from "./socials.tsx";

type FooterProps = { organisation: Organisation; brand: BrandFrame; menus: AllMenus; year: number };

export function Footer({ organisation, brand, menus, year }: FooterProps) {
  return (
    <footer className="site-foot">
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="deep">
        <div className="wrap main foot-grid">
          <AboutColumn organisation={organisation} brand={brand} />
          {menus.foot_organisation.length > 0 && (
            <Column title={groupLabel(menus, "organisation")} links={menus.foot_organisation} />
          )}
          {menus.foot_services.length > 0 && (
            <Column title={groupLabel(menus, "services")} links={menus.foot_services} />
          )}
          <Column
            title="Get involved"
            links={[
              ...invitations,
              { label: "Events", path: paths.events },
              { label: "Contact Us", path: paths.contact },
            ]}
            first={<DonateLink className="foot-donate" />}
          >
            <p className="muted small foot-contact">
              <ContactLines organisation={organisation} />
            </p>
          </Column>
        </div>
        <div className="wrap">
          <div className="legal">
            <ul>
              {legalLinks.map(({ label, path }) => (
                <li key={path}>
                  <a href={path}>{label}</a>
                </li>
              ))}
            </ul>
            <p>
              © {year} {organisation.name}
            </p>
            {organisation.abn !== "" && (
              <p>
                ABN <span className="num">{organisation.abn}</span>
              </p>
            )}
            {organisation.acknowledgement !== "" && <p>{organisation.acknowledgement}</p>}
          </div>
        </div>
      </div>
    </footer>
  );
}

function AboutColumn({ organisation, brand }: { organisation: Organisation; brand: BrandFrame }) {
  const { nativeName, apps, socials, registration } = organisation;
  return (
    <div className="stack">
      <Brand organisation={organisation} brand={brand} onDeep />
      {nativeName !== undefined && <NativeName {...nativeName} />}
      <p className="muted">{organisation.tagline}</p>
      {(apps.appStore ?? apps.googlePlay) !== undefined && (
        <div className="row">
          {apps.appStore !== undefined && (
            <a className="store" href={apps.appStore} rel="external">
              <Icon name="apple" />
              <span>
                <small>Download on the</small> App Store
              </span>
            </a>
          )}
          {apps.googlePlay !== undefined && (
            <a className="store" href={apps.googlePlay} rel="external">
              <Icon name="play" />
              <span>
                <small>Get it on</small> Google Play
              </span>
            </a>
          )}
        </div>
      )}
      <Socials socials={socials} />
      <RegistrationBadge registration={registration} badge={brand.badge} />
    </div>
  );
}

function Column(props: { title: string; links: readonly MenuLink[]; first?: ReactNode; children?: ReactNode }) {
  return (
    <div>
      <h2>{props.title}</h2>
      <ul>
        {props.first !== undefined && <li>{props.first}</li>}
        {props.links.map(({ label, path }) => (
          <li key={path}>
            <a href={path} rel={relOf(path)}>
              <bdi>{label}</bdi>
            </a>
          </li>
        ))}
      </ul>
      {props.children}
    </div>
  );
}

type BadgeProps = Pick<Organisation, "registration"> & Pick<BrandFrame, "badge">;

/**
 * The register's entry: at the end of this column, or floating beside the text where there is room (LAY-3). Without a
 * picture it is a link in words.
 */
function RegistrationBadge({ registration: { url, label }, badge }: BadgeProps) {
  if (badge === null) {
    return (
      <p className="small">
        <a href={url} rel="external">
          {label}
        </a>
      </p>
    );
  }
  return (
    <a className="float-badge" href={url} aria-label={label} rel="external">
      {badge === placeholderBadge ? (
        <Drawing svg={demoBadge} size={120} />
      ) : (
        <img src={badge} alt="" width={120} height={120} />
      )}
    </a>
  );
}
