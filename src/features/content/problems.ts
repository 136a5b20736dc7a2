import { nameProblems } from "#shared/errors.ts";

export const contentProblems = nameProblems({
  preview_ended: {
    status: 410,
    text: "This preview has ended. Ask whoever sent you the link for a new one.",
  },
  too_many_messages: {
    status: 429,
    text: "You’ve sent us several messages recently. Please try again later, or call or email us.",
  },
});
