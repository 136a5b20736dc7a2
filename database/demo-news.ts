/** Invented articles. `picture` is a file of database/demo. */
export const demoNews = [
  {
    slug: "a-hand-pump-ends-a-four-hour-walk-for-water",
    title: "A hand pump ends a four-hour walk for water",
    excerpt:
      "Eighty families in a village outside Tharparkar now draw clean water from a pump beside their school gate. The children who used to fetch it are in class before the first bell.",
    html: `
      <p>Until this spring Sakina’s day began in the dark. She and her cousins took the clay pots, walked two hours to the well at the edge of the salt flat, and walked two hours back. By the time the pots were full, school was half over.</p>
      <p>The pump that now stands beside the school gate took nine days to sink. A crew from the next town drilled, the men of the village carried the casing, and the women chose the place: where the mothers wait anyway, and where the shade is in the afternoon.</p>
      <blockquote><p>“The first bucket went to the teacher. She has asked us for two years why we are late.”</p></blockquote>
      <p>A committee of four households keeps the handle greased and the drain clear, and holds a small fund for new washers. The old path to the well is already growing over. Nobody has missed it.</p>`,
    picture: "hand-pump.jpg",
    published_on: "2026-10-14",
  },
  {
    slug: "the-travelling-camp-sees-its-ten-thousandth-patient",
    title: "The travelling camp sees its ten-thousandth patient",
    excerpt:
      "Since March the camp has crossed three provinces with two doctors, one dentist and a van of donated medicine. Most visitors come for eyes, teeth and blood pressure, and leave with treatment the same day.",
    html: `
      <p>The queue forms before the van has stopped. A folding table goes up under whatever shade there is, a nurse writes names in a ledger, and the first patient sits down before the kettle has boiled.</p>
      <p>Patient number ten thousand was a carpenter called Rahim, who had come about his eyes. He had been measuring twice and cutting wrong for a year. He left with a pair of reading glasses and a list of the neighbours he means to send.</p>
      <h2>What comes after</h2>
      <p>Whoever needs more than a table and a van gets a letter for the nearest hospital, and a telephone call a week later to ask whether they went. The camp winters in the south and sets out again when the mountain roads open.</p>`,
    picture: "clinic-queue.jpg",
    published_on: "2026-10-02",
  },
  {
    slug: "school-kits-packed-before-the-new-term",
    title: "School kits packed before the new term",
    excerpt:
      "On two Saturdays in Auburn, volunteers filled bags with books, pencils and warm jumpers, so that every child on the list starts the term with a kit of their own.",
    html: `
      <p>The hall smelled of new paper. Along one wall stood the bags, along the other the boxes, and between them some forty people who had mostly never met: a bus driver on her day off, two year-ten classes, a grandfather who sharpened pencils and would do nothing else.</p>
      <p>Each kit holds the same things, so that no child has to compare: exercise books, a pencil case, a ruler, a jumper for the cold weeks. What differs is the card at the very top. The volunteers write those by hand.</p>
      <p>“I wrote: I hope you get a window seat,” said Noor, who is eight. “I always want the window seat.” The bags are on their way. The next packing day is in January, and there are pencils left to sharpen.</p>`,
    picture: "school-kits-packing.jpg",
    published_on: "2026-09-19",
  },
];
