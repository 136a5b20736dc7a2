import { nameProblems } from "#shared/errors.ts";

export const volunteeringProblems = nameProblems({
  application_closed: {
    status: 409,
    text: "This application is closed and can no longer be changed. Please call or email us.",
  },
  no_place: {
    status: 409,
    text: "This shift has begun, or you have no place on it any more. Please reload the page.",
  },
  too_many_applications: {
    status: 429,
    text: "We have received several applications from you in a short time. Please try again in an hour, or call or email us instead.",
  },
});
