/** What stands for the name of a donor who gave anonymously. */
export const ANONYMOUS_DONOR = "Anonymous donor";

/** What the form fills in for one. */
export const ANONYMOUS = { firstName: "Anonymous", lastName: "User" } as const;
