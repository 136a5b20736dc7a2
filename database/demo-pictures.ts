/** What each file of `database/demo` shows, for people who cannot see it. */
export const demoPictureWords: Readonly<Record<string, string>> = {
  "ambulance-dusk.jpg": "An ambulance painted with flowers stands before snow peaks at dusk",
  "boat-on-flood.jpg": "A man steers a painted boat past flooded houses; an old man, a woman and a girl stand in it",
  "charity-dinner.jpg": "Guests sit at round tables below lanterns and listen to a woman at a lectern",
  "classroom-morning.jpg":
    "A teacher draws a triangle, a square and a circle on the board; five children sit on a blue rug",
  "clinic-queue.jpg": "A nurse at the door of a clinic greets a family who wait in line",
  "courtyard-kites.jpg": "Four children fly kites above a courtyard with a tree in blossom",
  "hand-pump.jpg": "A boy works a hand pump while a girl waits for the water, in front of mountains",
  "night-kitchen.jpg": "Three cooks stir two steaming pots at night, under strings of lights",
  "school-kits-packing.jpg": "Three volunteers at a long table fill school bags with books and pencils",
  "walking-again.jpg": "A man walks between two rails, and a woman holds his hand",
};
