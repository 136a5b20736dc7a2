import type { Providers } from "#payments/provider.ts";
import type { DocumentLook } from "#shared/brand/document-look.ts";
import type { SiteBrands } from "#shared/brand/site-brands.ts";
import type { BrandFrame } from "#shared/images/brand-frame.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import type { Mail } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { SetUpState } from "../set-up-steps.ts";

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

/** A policy as visitors read it. */
export type LegalText = {
  readonly key: string;
  readonly title: string;
  /** Of its title and text: changes with them. */
  readonly digest: string;
  readonly path: string;
  /** Where it is edited. */
  readonly editPath: string;
};

/** Something that visitors see and that still has a text of the example, with the labels of its fields. */
export type ExampleText = {
  readonly title: string;
  /** 'service'. */
  readonly kind: string;
  readonly fields: readonly string[];
  /** Where it is edited. */
  readonly editPath: string;
};

/** What setting up a site asks of the features that have it. */
export type SetUpSources = {
  readonly listLegalTexts: () => Promise<readonly LegalText[]>;
  /** Whether staff have published a page or service in their own words; policies do not count. */
  readonly hasOwnPage: () => Promise<boolean>;
  readonly listExampleTexts: () => Promise<readonly ExampleText[]>;
};

type RenderedPage = { readonly html: string; readonly headers: Readonly<Record<string, string>> };

/** `config` has the organisation’s details of its file, and the fees of the environment. */
export type SettingsServices = CoreServices<
  "database" | "files" | "jobs" | "organisation" | "now",
  | ("organisation" | "fees" | "publicUrl" | "isLive" | "isDemo" | "liveSettings" | "mail" | "captcha")
  | ("paymentMode" | "refunds" | "reconciliation" | "limits" | "tickets" | "linkDays" | "checksLinks" | "retention")
  | ("databaseUrl" | "backup" | "archiveDir" | "files")
> & {
  readonly settingPreviews: SettingPreviews;
  readonly brands: SiteBrands;
  readonly setUpSources: SetUpSources;
  /** As this process knows it; null on a site that began with content. */
  readonly setUp: { current(): SetUpState | null };
  readonly mail: Mail;
  readonly providers: Providers;
};
