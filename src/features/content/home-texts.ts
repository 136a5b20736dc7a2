/** The words of the home page, each with its column. */
export const homeColumns = {
  tagLine: "tag_line",
  headline: "headline",
  donateButton: "donate_button",
  cardsHeading: "cards_heading",
  cardsLabel: "cards_label",
  card1Title: "card_1_title",
  card1Fund: "card_1_fund",
  card2Title: "card_2_title",
  card2Fund: "card_2_fund",
  card3Title: "card_3_title",
  card3Fund: "card_3_fund",
  messageButton: "message_button",
  causesHeading: "causes_heading",
  causesLede: "causes_lede",
  donorsHeading: "donors_heading",
  donorsLede: "donors_lede",
  galleryHeading: "gallery_heading",
  galleryLede: "gallery_lede",
  galleryEmpty: "gallery_empty",
  galleryButton: "gallery_button",
  tilesHeading: "tiles_heading",
  tileVolunteerTitle: "tile_volunteer_title",
  tileVolunteerText: "tile_volunteer_text",
  tileFundraisingTitle: "tile_fundraising_title",
  tileFundraisingText: "tile_fundraising_text",
  tileDonateTitle: "tile_donate_title",
  tileDonateText: "tile_donate_text",
  newsHeading: "news_heading",
  newsButton: "news_button",
  searchTitle: "search_title",
  searchDescription: "search_description",
} as const;

/** The words of the tiles, which other pages have too. */
export type TileTexts = Pick<HomeTexts, Extract<keyof HomeTexts, `tile${string}`>>;

export type HomeTexts = Readonly<Record<keyof typeof homeColumns, string>>;
