import type { Service } from "./service-page.tsx";
import { Chapters, Needs } from "./service-parts.tsx";

export const rehabilitationCenter: Service = {
  title: "Rehabilitation Center",
  description:
    "Therapy, prosthetics and patient company for people who are learning to walk, work and trust again. See what a gift does.",
  lede: "Therapy, prosthetics and patient company for people who are learning to walk, work and trust again.",
  giveTo: "rehabilitation",
  cause: "patient-care",
  donation: "Choose patient care, or let your gift go where it is needed most.",
  text: (
    <>
      <p className="opening">
        A hospital saves what can be saved. After that there is a second road, slower than the first, and most of it is
        walked at home. A rehabilitation centre walks that road with a person, for as long as it takes.
      </p>
      <h2>Three things to learn again</h2>
      <Chapters
        chapters={[
          [
            "To walk",
            "It begins with standing. A therapist sees what is strong, what is stiff and what hurts, and makes a plan that fits into a day with children, stairs and a market to get to. A prosthetic leg is measured, cast, tried, corrected and tried again; a child’s is remade as the child grows. A wheelchair is chosen for the lane in front of the door, and not only for the ward.",
          ],
          [
            "To work",
            "A carpenter who has lost a hand is still a carpenter. In the workshop, people try out tools, grips and other ways of doing what they know, or learn something new: tailoring, repairs, bookkeeping, a computer. The question is never what somebody can no longer do. It is what they would like to be doing a year from now.",
          ],
          [
            "To trust",
            "Not every injury can be seen. There are people here who are leaving an addiction behind, and people who have been through a flood, a fire or a war at home. They get time, company, a doctor where one is needed, and a steady daily routine. Families are part of it, because they carry on when the centre’s door has closed.",
          ],
        ]}
      />
      <h2>What a gift becomes</h2>
      <Needs
        needs={[
          ["Hours of therapy", "The largest need, and the one that nothing can replace: skilled hands and time."],
          ["Limbs and braces", "Made to measure, fitted, mended, and renewed when they are outgrown or worn."],
          ["Chairs, crutches, rails", "Chosen for somebody’s own rooms and roads, with the spare parts."],
          ["Tools for the workshop", "So that people can earn a living with what they practise here."],
          [
            "The way there",
            "Fares and a bed for people who live far away, since therapy that is broken off helps little.",
          ],
        ]}
      />
      <h2>How we talk about it</h2>
      <p>
        You will find no pictures of wounds on these pages, and no before and after. People who train here are not
        examples of anything. They are on their way, and they decide who may watch.
      </p>
    </>
  ),
};
