import type { DocumentLook } from "#shared/brand/document-look.ts";
import type { SiteBrands } from "#shared/brand/site-brands.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import type { Organisation } from "#shared/organisation.ts";

/** What the screens of settings show that other parts of the site draw. */
export type SettingPreviews = {
  /** A receipt with invented data, marked as a specimen. */
  readonly drawSpecimenReceipt: (organisation: Organisation, look?: DocumentLook) => Promise<Buffer>;
  /** Every email that the site sends, by what it is about. */
  readonly emailGroups: ReadonlyMap<string, readonly DeclaredEmail[]>;
  /** A page of the site as it would be; null if the site serves no pages. */
  readonly renderPage:
    | ((
        path: string,
        changed: { readonly organisation?: Organisation; readonly brand?: BrandFrame },
      ) => Promise<RenderedPage | null>)
    | null;
};

export type RenderedPage = { readonly html: string; readonly headers: Readonly<Record<string, string>> };

/** `config` has the organisation’s details of its file, and the fees of the environment. */
export type SettingsServices = CoreServices<
  "database" | "jobs" | "organisation" | "now",
  "organisation" | "fees" | "publicUrl" | "isLive" | "liveResults"
> & {
  readonly settingPreviews: SettingPreviews;
  readonly brands: SiteBrands;
};
