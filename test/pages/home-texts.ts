import type { HomeTexts } from "#features/content/home-texts.ts";

/** The words of the home page as a new site has them. */
export const deliveredHomeTexts: HomeTexts = {
  tagLine: "Helping Today. Shaping Tomorrow",
  headline: "Give a child the Gift of Education",
  donateButton: "Donate Now",
  cardsHeading: "Choose where your donation goes",
  cardsLabel: "Donate to",
  card1Title: "Schools and Dastarkhwan",
  card1Fund: "education",
  card2Title: "Hospitals and Clinics",
  card2Fund: "patient-care",
  card3Title: "Homes",
  card3Fund: "homes",
  messageButton: "Read the chairman’s message",
  causesHeading: "Our causes",
  causesLede: "Every call answered, every cloth laid, every door open. Choose the work you want to support.",
  donorsHeading: "Our donors",
  donorsLede: "People across Australia who keep the water flowing.",
  galleryHeading: "Gallery",
  galleryLede: "A close look at our daily work.",
  galleryEmpty: "Pictures from the field will appear here.",
  galleryButton: "Visit the gallery",
  newsHeading: "News and articles",
  newsButton: "All news and articles",
  searchTitle: "{name}: Helping Today. Shaping Tomorrow",
  searchDescription:
    "{name} raises donations in Australia for {supports}: ambulances, hospitals, schools, homes, meals and flood relief.",
};
