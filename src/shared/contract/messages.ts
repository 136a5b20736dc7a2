/** Messages that several forms share; those of a single feature are beside its rules. */
export const messages = {
  emailTooLong: "Enter an email of at most 254 characters",
  postcode: "Enter a post code of at most 12 letters, digits, spaces or hyphens",
  mobile: "Enter a mobile number of 6 to 14 digits",
  notPlain: "Type this again instead of pasting it: it has characters that nobody can see",
  atMost: (characters: number) => `Enter at most ${characters} characters`,
} as const;
