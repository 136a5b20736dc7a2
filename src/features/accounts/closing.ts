/** What closing an account erases and what stays; the page says it before, and the email after (PRO-11). */
export const whatGoes = [
  "Your details, messages and log-ins are deleted, and an application to volunteer is withdrawn and deleted.",
  "What you sent as a guest goes with it if your email is confirmed. Otherwise it goes in its own time.",
] as const;

export const whatStays = [
  "Your receipts stay valid. Your name stays on them for seven years, because the law requires these documents.",
  "Donations and orders stay on our books without your name, email or address. While a payment is not decided yet, we keep them to tell you how it ended.",
  "Tickets to events that are still to come stay valid. Your name on them is erased when the event is over.",
  "Names that a Qurban is offered for stay for up to a year, so that it can be carried out.",
  "If you volunteered with a Working With Children Check that we verified, your name and the check stay for seven years, as the law requires.",
] as const;
