/** What staff wrote in one email, in place of its own words. Blank lines in the message part paragraphs. */
export type OwnWords = { readonly subject: string; readonly message: string };
