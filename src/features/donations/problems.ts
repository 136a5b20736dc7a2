import { nameProblems } from "#shared/errors.ts";

/** What can go wrong with donations. */
export const donationProblems = nameProblems({
  just_given: {
    status: 409,
    text: "You made this donation a moment ago. Send `repeat: true` to make it again.",
    money: "charged_before",
  },
});
