type Item = readonly [title: string, description: string, picture: string, date: string, createdBy: string];

const items: readonly Item[] = [
  [
    "Two pots, three cooks",
    "The night kitchen, an hour before the cloth is laid.",
    "night-kitchen.jpg",
    "2026-11-08",
    "Samina, kitchen team",
  ],
  ["On call at dusk", "The driver painted the border herself.", "ambulance-dusk.jpg", "2026-10-24", "Field team"],
  ["Shapes before lunch", "A morning class on the blue rug.", "classroom-morning.jpg", "2026-10-15", "Imran, teacher"],
  [
    "Packing day",
    "Volunteers fill relief boxes at a long table.",
    "volunteers-packing.svg",
    "2026-10-11",
    "Auburn volunteers",
  ],
  [
    "Walking again",
    "Twelve steps between the bars, and then one more.",
    "walking-again.jpg",
    "2026-10-03",
    "Field team",
  ],
  ["One cloth for everyone", "The midday meal at a dastarkhwan.", "dastarkhwan-meal.svg", "2026-09-28", "Field team"],
  [
    "The queue before the table is up",
    "The travelling camp on its second day in the valley.",
    "clinic-queue.jpg",
    "2026-09-21",
    "Field team",
  ],
  [
    "An evening for the schools",
    "Supporters at the spring dinner in Sydney.",
    "charity-dinner.jpg",
    "2026-09-05",
    "Auburn volunteers",
  ],
  ["To higher ground", "A rescue boat on its second trip of the day.", "boat-on-flood.jpg", "2026-08-21", "Field team"],
  [
    "Class under the flowering tree",
    "A teacher and five pupils at the open-air school.",
    "school-outdoor-class.svg",
    "2026-08-14",
    "Imran, teacher",
  ],
  ["A door that stays open", "The clinic on market day.", "hospital.svg", "2026-08-03", "Field team"],
  [
    "Kites over the courtyard",
    "The first windy afternoon at one of the homes.",
    "courtyard-kites.jpg",
    "2026-07-26",
    "Field team",
  ],
  ["Before the morning shift", "Washed, checked and fuelled.", "ambulance.svg", "2026-07-11", "Bashir, driver"],
  [
    "One bag for each child",
    "Books, pencils and a jumper go into every bag, and two people check each one before it is closed.",
    "school-kits-packing.jpg",
    "2026-06-27",
    "School team",
  ],
  ["After school", "The courtyard of one of the homes.", "homes-courtyard.svg", "2026-06-13", "Field team"],
  [
    "At the parallel bars",
    "One is practising, one is waiting for her turn, and one is the physiotherapist.",
    "rehabilitation.svg",
    "2026-05-30",
    "Hina, physiotherapist",
  ],
  ["The tent is up", "Unpacking at the travelling camp.", "news-medical-camp.svg", "2026-05-16", "Field team"],
  [
    "The pump on its first day",
    "Beside the school gate, where the mothers wait anyway.",
    "hand-pump.jpg",
    "2026-04-25",
    "Field team",
  ],
  ["Stories after the meal", "A fundraising evening under canvas.", "event-night.svg", "2026-04-11", "Events team"],
  [
    "Dry food for the far bank",
    "Rice, lentils, oil and tea on their way to a village that the road did not reach for nine days.",
    "flood-relief.svg",
    "2025-08-30",
    "Field team",
  ],
];

/** Invented pictures for the gallery. `picture` is a file in `database/demo`, or one of our drawings (.svg). */
export const demoGallery = items.map(([title, description, picture, image_date, created_by]) => ({
  title,
  description,
  picture,
  image_date,
  created_by,
}));
