import type { Banner } from "#shared/pages/frame.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { relOf } from "./menu.ts";

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
              <a href={link.address} rel={relOf(link.address)}>
                <bdi>{link.label}</bdi>
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
