import { paths } from "#shared/paths.ts";
import type { Service } from "./service-page.tsx";
import { Drawing, Facets, Questions, Thread } from "./service-parts.tsx";

export const floodRelief: Service = {
  title: "Flood Relief",
  description:
    "Boats, tents, clean water and dry food for families driven from their homes by the monsoon, and help with going back.",
  lede: "Boats first, then tents, clean water and dry food. And when the water has gone, help with going home.",
  giveTo: "flood relief",
  cause: "flood-relief",
  donation: "Choose flood relief, and it is kept for floods and what comes after.",
  text: (
    <>
      <p className="opening">
        A flood takes a house in an hour and a harvest in a night. What follows takes a year. Relief that leaves with
        the cameras does half the work. This fund is for all of it, from the first boat to the next sowing.
      </p>
      <h2>What is needed when</h2>
      <Thread
        steps={[
          [
            "The first hours",
            "Boats, ropes, and people who know the current. Those who cannot walk are brought out first.",
          ],
          ["The first days", "Dry ground, a tent, bedding, a hot meal, clean water, and a doctor to ask."],
          [
            "The first weeks",
            "Dry food that a family can cook itself, soap, mosquito nets, fodder for animals, and lessons for children.",
          ],
          [
            "When the water has gone",
            "Cleaning wells, drying rooms, mending roofs, and seed in time for the next season.",
          ],
          ["Before the next monsoon", "Stores on high ground, sound boats, and volunteers who have practised."],
        ]}
      />
      <h2>What you can give</h2>
      <p>On the donation form you choose what your gift pays for.</p>
      <Facets
        facets={[
          [
            "Dry food for a family",
            "Flour, rice, lentils, oil, sugar, tea and salt, packed so that one person can carry it.",
          ],
          ["Tent and bedding", "A roof, a groundsheet, quilts and mats, for the weeks until there is a house again."],
          ["Clean water", "Tanks and tablets straight away, hand pumps and cleaned wells for later."],
        ]}
      />
      <Drawing
        name="news-hand-pump"
        caption="A hand pump that stands above the flood line gives clean water in every season."
      />
      <h2>Questions that donors ask</h2>
      <Questions
        questions={[
          [
            "Is there a flood now?",
            "You can give at any time, because getting ready is the cheaper half of relief. During a campaign, our events and news say where it is and what it is for.",
          ],
          [
            "Can I send clothes or food?",
            "Please don’t: freight is expensive and slow, and local markets mostly have what is needed. We announce packing days in Australia under events.",
          ],
          [
            "What if more is given than one flood needs?",
            "It stays with flood relief, for rebuilding and for getting ready for the next monsoon.",
          ],
        ]}
      />
      <p>
        See past and upcoming campaigns under <a href={paths.events}>events</a>.
      </p>
    </>
  ),
};
