import type { Banner } from "#shared/pages/banner.ts";
import { Icon } from "#shared/ui/icon.tsx";

/** What staff announce (BAN-1). Its script closes it; without JavaScript it stays, and has no button. */
export function BannerLine({ text, link }: Pick<Banner, "text" | "link">) {
  return (
    <aside className="banner" aria-label="Announcement">
      <div className="wrap">
        <p dir="auto">
          {text}
          {link !== null && (
            <>
              {" "}
              <a href={link.address} rel={link.address.startsWith("/") ? undefined : "external"}>
                {link.label}
              </a>
            </>
          )}
        </p>
        <button type="button" data-close-banner="" aria-label="Close this announcement">
          <Icon name="x" />
        </button>
      </div>
    </aside>
  );
}
