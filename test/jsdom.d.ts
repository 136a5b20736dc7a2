/** jsdom has no types of its own; these cover what tests use. */
declare module "jsdom" {
  export const JSDOM: new (html: string) => { readonly window: typeof globalThis };
}
