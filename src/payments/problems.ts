import { nameProblems } from "#shared/errors.ts";

export const paymentProblems = nameProblems({
  payment_declined: {
    status: 402,
    text: "Your card wasn’t accepted. Please check the details or try another card.",
  },
  key_reused: {
    status: 409,
    text: "You already sent this with other details. Please reload the page to see it.",
    money: "charged_before",
  },
  cards_paused: {
    status: 429,
    text: "Card payments are paused for a few minutes. Please pay another way, or try again later.",
  },
  provider_away: {
    status: 429,
    text: "This payment method isn’t available at the moment. Please pay another way, or try again later.",
  },
});
