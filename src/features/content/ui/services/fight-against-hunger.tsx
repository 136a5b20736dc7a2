import type { Service, ServiceTextProps } from "./service-page.tsx";
import { Facets, Thread, YourGift } from "./service-parts.tsx";

export const fightAgainstHunger: Service = {
  title: "Fight Against Hunger",
  description:
    "A dastarkhwan is a cloth that everybody may sit down at. See how a day at one goes, and what your gift puts on it.",
  lede: "A dastarkhwan is a cloth spread on the ground. Whoever sits down at it is a guest, and guests are fed.",
  giveTo: "the fight against hunger",
  cause: "dastarkhwan",
  Text,
};

function Text({ organisation }: ServiceTextProps) {
  return (
    <>
      <p className="opening">
        Hunger is rarely a lack of food. It is a lack of money on the one day that decides: the day without work, the
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
          ["Evening", "The cloth is spread once more, for those who come from work and those who found none."],
        ]}
      />
      <h2>Why a cloth and not a queue</h2>
      <p>
        A queue sorts people. A cloth seats them. Eating together, from the same dishes and at the same height, nobody
        can tell who came because they had to and who came because they were passing. That is on purpose. It is also the
        oldest table manners that we know.
      </p>
      <h2>What your gift puts on the cloth</h2>
      <Facets
        facets={[
          ["Staples", "Rice, flour, lentils, oil, salt and tea, bought in quantity and stored dry."],
          ["Fire and water", "Fuel for the stoves, and clean water to cook, drink and wash hands with."],
          ["Hands", "Wages for cooks and cleaners, who mostly live in the streets that they cook for."],
        ]}
      />
      <p>
        In Ramadan, the evening meal becomes iftar and the day moves with it. After a disaster, the same kitchens cook
        for people in tents, because pots and cooks can travel.
      </p>
      <YourGift organisation={organisation}>
        Dastarkhwan is a cause of its own on the donation form, and a gift can be for as many meals as you like.
      </YourGift>
    </>
  );
}
