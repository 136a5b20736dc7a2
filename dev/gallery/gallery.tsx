import { Buttons, Icons } from "./actions.tsx";
import { Fields } from "./fields.tsx";
import { Forms } from "./forms.tsx";
import { Colours, Space, Type } from "./foundations.tsx";
import { Grounds } from "./grounds.tsx";
import { Cards, TableSamples, Ways } from "./lists.tsx";
import { Messages } from "./messages.tsx";

const contents = [
  ["colours", "Colours"],
  ["type", "Type"],
  ["space", "Space and shape"],
  ["buttons", "Buttons and links"],
  ["icons", "Icons"],
  ["fields", "Form fields"],
  ["forms", "Around a form"],
  ["cards", "Cards, carousels, pictures"],
  ["tables", "Tables"],
  ["ways", "Finding one’s way"],
  ["messages", "Messages"],
  ["grounds", "Grounds, strips, paper"],
] as const;

/** Every part of the design in every state, from the pages' components and classes: regressions show here first. */
export function Gallery() {
  return (
    <div className="wrap parts">
      <div className="page-head">
        <h1>Parts</h1>
        <p className="lede">
          Every part that pages are made of, in every state. Look at it in light and dark, wide and narrow.
        </p>
        <nav aria-label="Parts">
          <ul className="row">
            {contents.map(([id, title]) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <Colours />
      <Type />
      <Space />
      <Buttons />
      <Icons />
      <Fields />
      <Forms />
      <Cards />
      <TableSamples />
      <Ways />
      <Messages />
      <Grounds />
    </div>
  );
}
