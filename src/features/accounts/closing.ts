/** What closing an account deletes and what we keep. Shown before closing and in the email after it (PRO-11). */
export const erasedOnClosing = [
  "We delete your details, messages and log-ins, and withdraw and delete any application to volunteer.",
  "What you sent as a guest is deleted too if your email is confirmed. Otherwise it is deleted when its usual time is up.",
] as const;

export const keptOnClosing = [
  "Your receipts stay valid. Your name stays on them for seven years, because the law requires us to keep them.",
  "Donations and orders stay on our books without your name, email or address. While a payment is still being decided, we keep those details so that we can tell you the result.",
  "Tickets to upcoming events stay valid. We erase your name from them after the event.",
  "Names that a Qurban is offered for stay for up to a year, so that it can be carried out.",
  "If you volunteered with a Working With Children Check that we verified, your name and the check stay for seven years, as the law requires.",
] as const;
