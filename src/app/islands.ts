import type { ComponentType } from "react";

type Island = {
  /** When the browser fetches and hydrates it. */
  readonly on: "load" | "visible" | "idle";
  /** Its source file: the key under which the build's manifest lists its chunk and stylesheet. */
  readonly file: string;
  readonly load: () => Promise<ComponentType<never>>;
};

/** The only components that run in the browser; each is a chunk of its own. */
export const islands = {
  ContactForm: {
    on: "load",
    file: "src/features/content/ui/contact-form.tsx",
    load: async () => (await import("#features/content/ui/contact-form.tsx")).ContactForm,
  },
  DonationPage: {
    on: "load",
    file: "src/features/donations/ui/donation-page.tsx",
    load: async () => (await import("#features/donations/ui/donation-page.tsx")).DonationPage,
  },
} as const satisfies Record<string, Island>;

export type IslandName = keyof typeof islands;
