import { nameProblems } from "#shared/errors.ts";

export const contentProblems = nameProblems({
  too_many_messages: {
    status: 429,
    text: "You’ve sent us several messages recently. Please try again later, or call or email us.",
  },
});
