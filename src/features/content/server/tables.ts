import type { ColumnType, Generated } from "kysely";
import type { Edited, LoggedIn } from "#shared/database/tables.ts";
import type { homeColumns } from "../home-texts.ts";
import type { ContentData } from "./editing/kind.ts";
import type { LinkReason, LinkState } from "./external-links/judge-visit.ts";
import type { MessageState } from "./messages.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    pages: {
      type: string;
      title: string;
      html: string;
      search_description: Generated<string>;
      image: string | null;
      links: ColumnType<PageLink[], string | undefined, string>;
    } & InWords &
      Edited;
    own_pages: {
      id: Generated<number>;
      slug: string;
      title: string;
      summary: Generated<string>;
      html: Generated<string>;
      image: string | null;
    } & InWords &
      Edited;
    services: {
      type: string;
      title: string;
      summary: string;
      lede: string;
      give_to: string;
      cause: string;
      donation: string;
      image: string;
      figures: string;
      html: string;
      questions: string;
    } & InWords &
      Edited;
    causes: { id: Generated<number>; position: number; title: string; description: string; image: string } & InWords &
      Edited;
    testimonials: { id: Generated<number>; position: number; title: string; image: string } & InWords & Edited;
    /** Dates without a time are strings, YYYY-MM-DD. */
    news: {
      id: Generated<number>;
      slug: string;
      title: string;
      excerpt: string;
      html: Generated<string>;
      image: string;
      published_on: string;
    } & InWords &
      Edited;
    gallery_items: {
      id: Generated<number>;
      title: string;
      description: string;
      image: string;
      image_date: string;
      created_by: string;
    } & InWords &
      Edited;
    /** Times are read as JSON, without a zone: on a clock in Sydney. */
    banners: {
      id: Generated<number>;
      title: string;
      link_label: string;
      link_address: string;
      starts_at: ColumnType<never, string, string>;
      ends_at: ColumnType<never, string, string>;
    } & Edited;
    home: Record<"type" | "title" | (typeof homeColumns)[keyof typeof homeColumns], string> & {
      updated_at: Generated<Date>;
    };
    introductions: Record<"type" | "title" | "lede" | "search_description", string> & { updated_at: Generated<Date> };
    menus: {
      type: string;
      title: string;
      main: unknown;
      organisation: unknown;
      services: unknown;
      foot_organisation: unknown;
      foot_services: unknown;
      updated_at: Generated<Date>;
    };
    redirects: { path: string; target: string; is_move: boolean; made_at: Date; made_by: number };
    content_items: {
      id: Generated<number>;
      kind: string;
      live_key: string | null;
      latest_version: number;
      published_version: number | null;
      live_updated_at: Date | null;
      scheduled_version: Generated<number | null>;
      scheduled_at: Generated<Date | null>;
      scheduled_by: Generated<number | null>;
      form_key: Generated<string | null>;
      is_planned: Generated<boolean>;
      is_put_aside: Generated<boolean>;
    };
    content_versions: {
      item_id: number;
      number: number;
      began_from: number | null;
      data: ColumnType<ContentData, string, never>;
      saved_at: Date;
      saved_by: number | null;
      restored_from: Generated<number | null>;
    };
    external_links: {
      id: Generated<number>;
      address: string;
      host: string;
      state: Generated<LinkState>;
      reason: Generated<LinkReason | null>;
      failing_since: Generated<Date | null>;
      checked_at: Generated<Date | null>;
      check_at: Date;
      is_excepted: Generated<boolean>;
      saved_at: Generated<Date | null>;
    };
    external_link_uses: { link_id: number; kind: string; live_key: string };
    external_link_checks: {
      content_version: number;
      busy_until: Date | null;
      reached_at: Date | null;
      unreached_since: Date | null;
    };
    contact_messages: {
      id: string;
      client_key: string;
      name: string;
      email: string;
      phone: string;
      subject: string;
      message: string;
      user_id: LoggedIn;
      created_at: Date;
      state: Generated<MessageState>;
      closed_at: Generated<Date | null>;
      closed_by: Generated<number | null>;
    };
  }
}

/** What the column `image` says to people who cannot see it. */
type InWords = { image_words: Generated<string>; image_decorates: Generated<boolean> };

type PageLink = { readonly label: string; readonly url: string };
