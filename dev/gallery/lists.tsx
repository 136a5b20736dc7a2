import { Causes } from "#features/content/ui/home/causes.tsx";
import { ListPager } from "#features/content/ui/list-pager.tsx";
import { ScrollRegion } from "#features/content/ui/scroll-region.tsx";
import type { EventCard } from "#shared/events/event.ts";
import { EventLeaf, EventTime } from "#shared/events/ui/event-time.tsx";
import { describeDrawing } from "#shared/images/drawings.ts";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { Breadcrumbs } from "#shared/ui/page-navigation.tsx";
import { Part, Sample } from "./part.tsx";

const drawing = (name: string) => describeDrawing(`/identity/illustrations/${name}.svg`);

/** A picture that is still loading: a clear pixel, so that the colour behind it shows. */
const awaited = {
  address: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7#",
  width: 800,
  height: 600,
  color: "#a08060",
  widths: [320, 960],
};

const causes = [
  [
    "Ambulance Fund",
    "ambulance",
    "Every call is answered, day and night, without asking who can pay for the ride to hospital.",
  ],
  ["Patient Care", "hospital", "Beds, medicine and somebody who sits by them."],
  [
    "Flood Relief",
    "flood-relief",
    "Boats, clean water, tents and seed for the next season, wherever the river took what there was.",
  ],
  ["Homes", "homes-courtyard", "A title of the charity’s own, without a page that it leads to."],
].map(([title = "", image = "", description = ""]) => ({ title, description, picture: drawing(image) }));

export function Cards() {
  return (
    <Part id="cards" title="Cards, carousels, pictures">
      <Sample title="A carousel of cards" note="Its buttons appear with its script; without one the row scrolls.">
        <Causes
          causes={causes}
          texts={{ causesHeading: "Our causes", causesLede: "Choose the work you want to support." }}
        />
      </Sample>
      <div className="pairs">
        <Sample title="A card without a picture">
          <div className="plain-card stack">
            <p>
              <b>A plain card</b> holds a form, an answer, a list.
            </p>
            <p className="muted">Its ground is the surface; patterns never lie under it.</p>
          </div>
        </Sample>
        <Sample title="Nothing there yet">
          <div className="empty">
            <img src="/identity/illustrations/spot-empty-history.svg" alt="" width={320} height={320} />
            <p>
              <b>No donations yet.</b> What you give stands here, with its receipt.
            </p>
            <a className="btn btn-quiet" href="#cards">
              Start donating
            </a>
          </div>
        </Sample>
        <Sample title="A day" note="The leaf is for the eyes; the words beside it say the whole date.">
          <div className="row">
            <EventLeaf event={event} />
            <p>
              <EventTime event={event} />
            </p>
          </div>
        </Sample>
        <Sample title="A picture" note="An arch frames the one important picture of a section.">
          <span className="jharokha arch-sample">
            <ContentPicture picture={drawing("school-outdoor-class")} alt="Children read under a tree" sizes="20rem" />
          </span>
        </Sample>
        <Sample title="A picture on its way" note="Its average colour keeps its room.">
          <div className="picture-sample">
            <ContentPicture picture={awaited} alt="" sizes="20rem" />
          </div>
        </Sample>
      </div>
    </Part>
  );
}

const event: EventCard = {
  id: 1,
  title: "A dinner for a school",
  picture: drawing("event-night"),
  slug: "a-dinner",
  summary: "",
  place: "Auburn",
  isOnline: false,
  startsAt: new Date("2027-04-24T09:00:00Z"),
  endsAt: new Date("2027-04-24T12:00:00Z"),
  timeZone: "Australia/Sydney",
  isAllDay: false,
  createdBy: "",
  isOver: false,
  calledOffAt: null,
};

const gifts = [
  ["Zakat", 1, "$100.00", "$100.00"],
  ["Qurban, goat", 2, "$165.00", "$330.00"],
] as const;

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export function TableSamples() {
  return (
    <Part id="tables" title="Tables">
      <Sample title="Stacked on phones">
        <table className="stacked">
          <caption>Your donation</caption>
          <thead>
            <tr>
              {["Donation", "Quantity", "Amount", "Total"].map((name, index) => (
                <th key={name} scope="col" className={index === 0 ? undefined : "num"}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {gifts.map(([name, quantity, amount, total]) => (
              <tr key={name}>
                <td data-l="Donation">
                  <b>{name}</b>
                </td>
                <td className="num" data-l="Quantity">
                  {quantity}
                </td>
                <td className="num" data-l="Amount">
                  {amount}
                </td>
                <td className="num" data-l="Total">
                  {total}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Sample>
      <Sample title="Wide" note="Scrolls by itself; the page never does.">
        <ScrollRegion className="table-wrap" label="Helpers by weekday, a wide table">
          <table>
            <caption>Helpers by weekday</caption>
            <thead>
              <tr>
                <th scope="col">Place</th>
                {days.map((day) => (
                  <th key={day} scope="col" className="num">
                    {day}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {["Auburn", "Lakemba", "Dandenong"].map((place, row) => (
                <tr key={place}>
                  <th scope="row">{place}</th>
                  {days.map((day, column) => (
                    <td key={day} className="num">
                      {((row + 2) * (column + 3)) % 11}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </Sample>
    </Part>
  );
}

export function Ways() {
  return (
    <Part id="ways" title="Finding one’s way">
      <Sample title="Breadcrumbs">
        <Breadcrumbs trail={[{ label: "Home", path: "/" }, { label: "Services" }, { label: "Patient Care" }]} />
      </Sample>
      <Sample title="On through a long list">
        <ListPager path="/news" next="a" isFirst={false} older="Older news" newest="The newest" />
      </Sample>
      <div className="pairs">
        <Sample title="Pages beside this one">
          <nav className="side-nav plain-card" aria-label="Services, a sample">
            <ul>
              {["Ambulance Fund", "Patient Care", "Flood Relief"].map((label) => (
                <li key={label}>
                  <a href="#ways" aria-current={label === "Patient Care" ? "page" : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </Sample>
        <Sample title="What opens">
          <details className="details" open>
            <summary>Is my gift tax deductible?</summary>
            <p>The receipt says so, for each line of it.</p>
          </details>
          <details className="details">
            <summary>Can I give by bank deposit?</summary>
            <p>Yes: the accounts stand beside the donation form.</p>
          </details>
        </Sample>
      </div>
    </Part>
  );
}
