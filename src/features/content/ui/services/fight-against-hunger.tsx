import type { Service } from "./service-page.tsx";
import { Facets, Thread } from "./service-parts.tsx";

export const fightAgainstHunger: Service = {
  title: "Fight Against Hunger",
  description:
    "A dastarkhwan is a cloth where everybody is welcome to sit and eat. See what a day there is like, and what your gift puts on it.",
  lede: "A dastarkhwan is a cloth spread on the ground. Anyone who sits down at it is a guest, and guests are fed.",
  giveTo: "the fight against hunger",
  cause: "dastarkhwan",
  donation: "Dastarkhwan is a separate cause on the donation form, and you can give as many meals as you like.",
  text: (
    <>
      <p className="opening">
        Hunger is rarely a lack of food. It is a lack of money on the one day that matters: the day without work, the
        week of an illness, the month after a flood. A table that is always laid takes that day’s weight off a family.
      </p>
      <h2>A day at the dastarkhwan</h2>
      <Thread
        as="day"
        steps={[
          ["Before dawn", "Rice is rinsed, lentils are picked over, and the first fires are lit under the big pots."],
          [
            "Morning",
            "Bread goes into the tandoor. Vegetables come from the market round the corner, bought the same day.",
          ],
          [
            "Midday",
            "The cloth is spread and people sit down side by side: a porter, a grandmother, a student, two brothers. Nobody signs in.",
          ],
          [
            "Afternoon",
            "Pots are scrubbed, water is drawn, and the store is counted, so that tomorrow is no surprise.",
          ],
          ["Evening", "The cloth is spread again, for those who come from work and those who found none."],
        ]}
      />
      <h2>Why a cloth and not a queue</h2>
      <p>
        A queue sorts people. A cloth seats them. Eating together, from the same dishes and at the same height, nobody
        can tell who came because they had to and who came because they were passing. That is on purpose. They are also
        the oldest table manners we know.
      </p>
      <h2>What your gift puts on the cloth</h2>
      <Facets
        facets={[
          ["Staples", "Rice, flour, lentils, oil, salt and tea, bought in quantity and stored dry."],
          ["Fire and water", "Fuel for the stoves, and clean water to cook, drink and wash hands with."],
          ["Hands", "Wages for cooks and cleaners, who mostly live in the streets they cook for."],
        ]}
      />
      <p>
        In Ramadan, the evening meal becomes iftar and the day moves with it. After a disaster, the same kitchens cook
        for people in tents, because pots and cooks can travel.
      </p>
    </>
  ),
};
