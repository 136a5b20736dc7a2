/** Invented articles. `picture` is a file in `database/demo`. */
export const demoNews = [
  {
    slug: "a-hand-pump-ends-a-four-hour-walk-for-water",
    title: "A hand pump ends a four-hour walk for water",
    excerpt:
      "Eighty families in a village near Nagarparkar, in Tharparkar, now draw clean water from a pump beside their school gate. The children who used to fetch it are in class before the first bell.",
    html: `
      <p>Until this spring Sakina’s day began in the dark. She and her cousins took the clay pots, walked two hours to the well at the edge of the salt flat, and walked two hours back. By the time the pots were full, school was half over.</p>
      <p>The pump that now stands beside the school gate took nine days to sink. A crew from the next town drilled, the men of the village carried the casing, and the women chose the place: where the mothers wait anyway, and where the shade is in the afternoon.</p>
      <blockquote><p>“The first bucket went to the teacher. For two years she has asked us why we’re late.”</p></blockquote>
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
      <p>Anyone who needs more than a table and a van gets a referral to the nearest hospital, and a phone call a week later to ask whether they went. The camp winters in the south and sets out again when the mountain roads open.</p>`,
    picture: "clinic-queue.jpg",
    published_on: "2026-10-02",
  },
  {
    slug: "school-kits-packed-before-the-new-term",
    title: "School kits packed before the new term",
    excerpt:
      "Over a weekend in Auburn, volunteers filled bags with books, pencils and warm jumpers, so that every child on the list starts the term with a kit of their own.",
    html: `
      <p>The hall smelled of new paper. Along one wall stood the bags, along the other the boxes, and between them some forty people who had mostly never met: a bus driver on her day off, two year-ten classes, a grandfather who sharpened pencils and would do nothing else.</p>
      <p>Each kit holds the same things, so that no child has to compare: exercise books, a pencil case, a ruler, a jumper for the cold weeks. What differs is the card at the very top. The volunteers write those by hand.</p>
      <p>“I wrote: I hope you get a window seat,” said Noor, who is eight. “I always want the window seat.” The bags are on their way. There will be <a href="/events">another packing day</a>, and there are pencils left to sharpen.</p>`,
    picture: "school-kits-packing.jpg",
    published_on: "2026-09-19",
  },
  {
    slug: "a-dinner-in-auburn-pays-for-forty-years-of-school",
    title: "A dinner in Auburn pays for forty years of school",
    excerpt: "112 guests, three kinds of biryani and one auctioned cricket bat: the spring dinner raised $16,800.",
    html: `
      <p>A year at school costs $420, so the evening pays for forty of them. Most of the money came from the tables, in amounts between $20 and $100. The bat, signed by the local under-14s, went for $310 after a contest between two grandmothers.</p>
      <p>Thank you to the cooks, who began at six in the morning, and to the neighbours, who lent us their driveways.</p>`,
    picture: "charity-dinner.jpg",
    published_on: "2026-09-08",
  },
  {
    slug: "eleven-days-on-the-water-in-sindh",
    title: "Eleven days on the water in Sindh",
    excerpt:
      "When the river broke its bank near Dadu, four boats went out before the tents arrived. The crews carried families, goats, school books and one sewing machine to the high road, and then went back for those who had stayed to guard the house.",
    html: `
      <p>The bank gave way on a Tuesday night. By noon on Wednesday the first of four boats was in the water, with two rowers who had grown up on the river and knew where the walls of the fields stood beneath it.</p>
      <p>For the first two days the boats carried only people. Those who could not walk went first, then mothers with small children, then everyone else. Those who wanted to stay and guard a house were left drinking water, a torch and a promise that someone would come by in the morning. Someone did.</p>
      <h2>What people bring</h2>
      <p>“You learn what matters to a family by what they carry,” says Ghulam Rasool, who steered the second boat. “Papers, a phone, the youngest child. After that the goat. One woman would not come without her sewing machine, and she was right: she was earning again within the week.”</p>
      <p>By the fifth day the road camp held 340 families. The kitchen served rice and lentils twice a day, and a doctor and two nurses saw about ninety people between morning and dark. Most came with fever, skin infections or cuts from what lies under flood water.</p>
      <h2>After the boats</h2>
      <p>The boats came out of the water after eleven days. The slower work has begun: pumping and cleaning wells, drying out two school buildings, and lending seed for the winter wheat. It will take until spring.</p>
      <ul><li>1,460 people were carried to dry ground.</li><li>340 families lived in the camp; 61 are still there.</li><li>Nine wells have been cleaned and tested so far.</li></ul>
      <p>Donations for <a href="/flood-relief">flood relief</a> pay for this second part as much as for the first.</p>`,
    picture: "boat-on-flood.jpg",
    published_on: "2026-08-24",
  },
  {
    slug: "kites-on-the-first-windy-afternoon",
    title: "Kites on the first windy afternoon",
    excerpt: "Homework was over early at the home in Multan. Somebody had found paper, glue and a ball of string.",
    html: `
      <p>The rule at the home is homework first. On the last Sunday of July it was finished by two, because the wind had come up and the older girls had spent the morning cutting paper.</p>
      <p>Nineteen kites went up. Four are still in the neem tree.</p>`,
    picture: "courtyard-kites.jpg",
    published_on: "2026-08-08",
  },
  {
    slug: "twelve-steps-then-home-to-peshawar",
    title: "Twelve steps, then home to Peshawar",
    excerpt:
      "Javed lost his leg below the knee in a road accident. Five months later he walked from the ward to the gate, with his physiotherapist beside him and his two sons behind.",
    html: `
      <p>Javed drives a delivery van, or did until February, when a lorry came round a bend on his side of the road. The hospital saved his life and could not save his left leg.</p>
      <p>He came to the rehabilitation centre in April with a wound that had healed and no wish to talk about walking. His physiotherapist, Hina, did not talk about it either. They began with the arms, then with balance, then with a cast for the socket.</p>
      <blockquote><p>“She asked me what I wanted to do first. I said: carry my own tea. So we practised with a cup.”</p></blockquote>
      <p>The first twelve steps between the bars took a quarter of an hour. A prosthesis is fitted again and again while the limb changes shape, and Javed’s was adjusted six times. In July he walked to the gate, got into his brother’s car and went home. He comes back every three months to have the fit checked, and he is learning to drive an automatic.</p>`,
    picture: "walking-again.jpg",
    published_on: "2026-07-18",
  },
  {
    slug: "a-night-shift-with-ambulance-14",
    title: "A night shift with Ambulance 14",
    excerpt:
      "Nine calls between dusk and dawn on the ring road of Lahore: two births, one false alarm, and a long wait at a level crossing.",
    html: `
      <p>The first call comes before the crew has finished its tea. A man has fallen from a ladder in Shahdara and broken his wrist. He is in the emergency room within half an hour.</p>
      <p>Two of the nine calls that night are births. One baby waits for the hospital. The other does not, and is born at a level crossing while a goods train goes by. Mother and daughter are well.</p>
      <p>Nobody is asked for money at any point of the night. At six the crew washes the vehicle, counts the dressings and writes down what is missing for the next one.</p>
      <p>The <a href="/ambulance-fund">ambulance fund</a> pays for fuel, tyres, oxygen and wages.</p>`,
    picture: "ambulance-dusk.jpg",
    published_on: "2026-06-20",
  },
  {
    slug: "six-hundred-plates-before-the-call-to-prayer",
    title: "Six hundred plates before the call to prayer",
    excerpt: "In Ramadan the kitchen in Korangi cooks at night. We spent an evening with its three cooks and two pots.",
    html: `
      <p>Samina has cooked here for eight years. She starts the onions at three in the afternoon, because six hundred plates have to be on the cloth at sunset, and nobody who has fasted all day should wait for a pot.</p>
      <p>Dates and water go out first. Then comes haleem, or rice with chickpeas, and bread from the oven across the lane. Anyone may sit down. By eight the cloth is folded and the pots are scrubbed; at one in the morning the fire is lit again for the meal before dawn.</p>`,
    picture: "night-kitchen.jpg",
    published_on: "2026-03-07",
  },
  {
    slug: "a-second-classroom-for-a-school-that-had-outgrown-its-first",
    title: "A second classroom for a school that had outgrown its first",
    excerpt:
      "For two years the school near Rahim Yar Khan taught in shifts: the little ones in the morning, the others in the afternoon. Since January there are two rooms, two teachers and one timetable.",
    html: `
      <p>The new room is plain: brick, three windows, a blackboard that runs the length of the wall. Builders from the village put it up in fourteen weeks, and parents painted it over a weekend.</p>
      <p>What changed most is the afternoon. Girls who used to go home before the second shift, because it ended after dark, now stay for the whole day. There were 23 of them in class in December, and there are 41 now.</p>`,
    picture: "classroom-morning.jpg",
    published_on: "2026-02-07",
  },
];
