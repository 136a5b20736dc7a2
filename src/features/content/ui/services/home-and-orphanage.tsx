import type { Service } from "./service-page.tsx";
import { Drawing, Figures } from "./service-parts.tsx";

const needs = [
  ["Food", "Breakfast, midday meal and supper at one table, and milk for the little ones"],
  ["School", "Fees where there are any, uniforms, books, and somebody to help with homework"],
  ["Health", "Check-ups, vaccinations, glasses, and a bed in the sick room when one is needed"],
  ["Carers", "Wages for the people who are there at night as well"],
  ["The house", "Roofs, water tanks, blankets, light, and repairs while they are still small"],
] as const;

export const homeAndOrphanage: Service = {
  title: "Home and Orphanage",
  description:
    "18 homes and orphanages, over 8,500 residents: children, elders and families who live, learn and are cared for together.",
  lede: "Children who have lost their parents, elders who live alone, families between two homes: here they share a roof and a table.",
  giveTo: "homes and orphanages",
  cause: "homes",
  donation: "Choose the homes as the cause, and your gift is spent on them.",
  text: (
    <>
      <p className="opening">
        The Foundation runs 18 homes and orphanages, where over 8,500 residents live. They differ in size and age, and
        have one rule in common: everyone who lives here belongs here.
      </p>
      <Figures
        figures={[
          ["18", "homes and orphanages"],
          ["8,500+", "residents"],
        ]}
      />
      <h2>Who lives here</h2>
      <p>
        Some came as babies, some at eighty. Brothers and sisters stay together. Where there are relatives, they visit,
        and a child goes home when home has become safe again. Elders don’t live in a separate house at the end of the
        road: they sit in the same courtyard, and they know all the stories.
      </p>
      <h2>Growing up, not just getting by</h2>
      <p>
        A home is judged by what people do when they leave it. So children go to school outside, with everybody else.
        Older ones learn a trade or study, and are helped with the first rent and the first bank account. Some come back
        on Fridays with sweets, and some come back as teachers.
      </p>
      <Drawing
        name="school-outdoor-class"
        caption="School is outside the walls, with the children of the neighbourhood."
      />
      <h2>What keeps a home going</h2>
      <table className="stacked wide">
        <caption className="sr">What a gift becomes</caption>
        <thead>
          <tr>
            <th scope="col">Need</th>
            <th scope="col">What it becomes</th>
          </tr>
        </thead>
        <tbody>
          {needs.map(([need, becomes]) => (
            <tr key={need}>
              <th scope="row">{need}</th>
              <td data-l="What it becomes">{becomes}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>A gift is shared by a whole house, so that it reaches the quiet ones too.</p>
    </>
  ),
};
