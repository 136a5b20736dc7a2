/** The parts of these pages that run in the browser, each in its own chunk. */
export const donationIslands = {
  DonationPage: async () => (await import("./donate/donation-page.tsx")).DonationPage,
};
