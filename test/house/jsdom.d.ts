/** jsdom brings no types of its own; this is what tests use of it. */
declare module "jsdom" {
  export const JSDOM: new (html: string) => { readonly window: typeof globalThis };
}
