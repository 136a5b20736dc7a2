import type { CaptchaReads } from "#shared/captcha/ui/captcha-box.tsx";
import type { Page } from "#shared/pages/page.ts";
import type { PlaceReads } from "#shared/places/contract.ts";
import { entrancePages } from "./entrance/pages.tsx";
import { profilePages } from "./profile/pages.tsx";

declare module "#shared/pages/page.ts" {
  interface PageReads extends PlaceReads, CaptchaReads {}
}

export const accountPages: readonly Page[] = [...entrancePages, ...profilePages];
