import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty, Note } from "#admin/ui/note.tsx";
import { QrCode } from "#admin/ui/qr-code.tsx";
import { Status } from "#admin/ui/status.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { When } from "#admin/ui/when.tsx";
import { formatNumber, formatTime, plural } from "#shared/language.ts";
import type { DoorFault } from "../../server/door/door-figures.ts";
import { isDoorClosed } from "../../server/door/door-phones.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import type { DoorOfEvent, ShownPhone } from "./door-part.ts";

/** `/admin/events/:id/door`: the phones at the door, who came, and what the phones could not know. */
export const doorScreen = screen<DoorOfEvent>({
  path: "/admin/events/:id/door",
  right: "events.see",
  section: "events",
  load: ({ findDoor }, { params }) => findDoor(params.id!),
  title: ({ event }) => `Door of ${event.title}`,
  body: (data, request) => (
    <>
      <EventScreenHead event={data.event} here="door" request={request} />
      <UnshownFormMessage request={request} shown={mayAdd(data, request) ? ["door"] : []} />
      {data.types.length === 0 ? (
        <Empty title="This event has no tickets">
          <p>Add a ticket type first. Then phones can check tickets at the door.</p>
        </Empty>
      ) : (
        <>
          <Came types={data.types} />
          {data.faults.length > 0 && <Faults data={data} />}
          <Phones data={data} request={request} />
        </>
      )}
    </>
  ),
});

const mayAdd = ({ event, now }: DoorOfEvent, request: ScreenRequest) => mayPlan(request) && !isDoorClosed(event, now);

function Came({ types }: Pick<DoorOfEvent, "types">) {
  const came = types.reduce((sum, type) => sum + type.came, 0);
  const valid = types.reduce((sum, type) => sum + type.valid, 0);
  return (
    <section className="sec" aria-labelledby="h-came">
      <div className="sec-h">
        <h2 id="h-came">Who came</h2>
        <p className="hint">
          {formatNumber(came)} of {plural(valid, { one: "1 ticket", other: `${formatNumber(valid)} tickets` })}
        </p>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Tickets that are valid, and their holders who came, by type</caption>
          <thead>
            <tr>
              <th scope="col">Ticket</th>
              <th scope="col" className="num">
                Valid
              </th>
              <th scope="col" className="num">
                Came
              </th>
            </tr>
          </thead>
          <tbody>
            {types.map(({ id, title, valid: all, came: some }) => (
              <tr key={id}>
                <th scope="row" className="k-c">
                  <bdi>{title}</bdi>
                </th>
                <td className="num m-c" data-l="Valid">
                  {formatNumber(all)}
                </td>
                <td className="num v-c" data-l="Came">
                  {formatNumber(some)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Faults({ data: { faults, event } }: { data: DoorOfEvent }) {
  return (
    <section className="sec" aria-labelledby="h-faults">
      <div className="sec-h">
        <h2 id="h-faults">Look into these</h2>
        <p className="hint">Phones without a network could not know.</p>
      </div>
      <ul className="stack">
        {faults.map((fault) => (
          <li key={`${fault.orderId} ${fault.scans[0]!.at.getTime()}`}>
            <Note look="warn" title={describeFault(fault)}>
              <p>
                {fault.scans
                  .map(({ at, phone }) => `${formatTime(at, event.timeZone).toLowerCase()} at ${phone}`)
                  .join(", then ")}
                . <a href={`/admin/orders/${fault.orderId}`}>See the order</a>
              </p>
            </Note>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeFault({ kind, number, holder, scans }: DoorFault): string {
  const ticket = holder === "" ? `${number}, without a name` : `${number}, ${holder}`;
  if (kind === "cancelled") return `Let in with a cancelled ticket: ${ticket}`;
  return `Came in ${scans.length === 2 ? "twice" : `${scans.length} times`}: ${ticket}`;
}

function Phones({ data, request }: { data: DoorOfEvent; request: ScreenRequest }) {
  const { phones, event, now } = data;
  const path = `/admin/events/${event.screenId}/door`;
  // A code pairs a phone, so only those who may add one see it.
  const waiting = mayPlan(request) ? phones.filter(({ pairing }) => pairing !== null) : [];
  const paired = phones.filter(({ pairedAt }) => pairedAt !== null);
  return (
    <section className="sec" aria-labelledby="h-phones">
      <div className="sec-h">
        <h2 id="h-phones">Phones</h2>
      </div>
      {waiting.map((phone) => (
        <PairCard key={phone.id} phone={phone} data={data} request={request} />
      ))}
      {paired.length > 0 && (
        <div className="tw">
          <table className="cards">
            <caption className="sr">Phones that were paired, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">Where it stands</th>
                <th scope="col">Added by</th>
                <th scope="col">State</th>
                <th scope="col">Last heard from</th>
                <th scope="col" className="num">
                  Scans
                </th>
                {mayPlan(request) && <th scope="col">End it</th>}
              </tr>
            </thead>
            <tbody>
              {paired.map((phone) => (
                <PairedRow key={phone.id} phone={phone} data={data} request={request} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isDoorClosed(event, now) && <p className="hint">The event was over two days ago, so its door is closed.</p>}
      {mayAdd(data, request) && (
        <ActionForm action={path} id="door" request={request} className="stack door-add">
          <TextField
            name="name"
            label="Add a phone"
            hint="Where it stands, such as Main entrance. Its pass opens this door and nothing else, until two days after the event."
          />
          <p className="acts">
            <button className="btn" type="submit">
              <Icon name="phone" />
              Show its code
            </button>
          </p>
        </ActionForm>
      )}
    </section>
  );
}

/** What to do on the phone: scan the code with its camera, or type it at the address. */
function PairCard({ phone, data, request }: { phone: ShownPhone; data: DoorOfEvent; request: ScreenRequest }) {
  const { code, qrCode, until } = phone.pairing!;
  return (
    <div className="pair">
      <QrCode {...qrCode} label={`QR code that pairs ${phone.name}`} />
      <div>
        <h3>
          <bdi>{phone.name}</bdi>
        </h3>
        <p>Point the phone’s camera at this code. Or open this address on the phone, and type the code there:</p>
        <p>
          <code className="address">{data.address}</code>
        </p>
        <p className="pair-code">
          <code>{code}</code>
        </p>
        <p className="hint">
          It works once, until {formatTime(until, "Australia/Sydney").toLowerCase()}. On an iPhone add that page to the
          home screen first, and type the code there.
        </p>
        <EndForm phone={phone} event={data.event.screenId} request={request} label="Withdraw the code" />
      </div>
    </div>
  );
}

type PairedRowProps = { phone: ShownPhone; data: DoorOfEvent; request: ScreenRequest };

function PairedRow({ phone, data: { event, now }, request }: PairedRowProps) {
  const { name, endedAt, lastSeenAt, scans, addedBy } = phone;
  const isPaired = endedAt === null && !isDoorClosed(event, now);
  return (
    <tr>
      <th scope="row" className="k-c">
        <bdi>{name}</bdi>
      </th>
      <td className="m-c" data-l="Added by">
        <bdi>{addedBy}</bdi>
      </td>
      <td className="s-c">{isPaired ? <Status look="ok">Paired</Status> : <Status look="off">Ended</Status>}</td>
      <td className="m-c" data-l="Last heard from">
        {lastSeenAt === null ? "Never" : <When at={lastSeenAt} now={now} />}
      </td>
      <td className="num m-c" data-l="Scans">
        {formatNumber(scans)}
      </td>
      {mayPlan(request) && (
        <td className="m-c">
          {isPaired && <EndForm phone={phone} event={event.screenId} request={request} label="End" />}
        </td>
      )}
    </tr>
  );
}

type EndFormProps = { phone: ShownPhone; event: number; request: ScreenRequest; label: string };

function EndForm({ phone, event, request, label }: EndFormProps) {
  return (
    <ActionForm action={`/admin/events/${event}/door/${phone.id}/end`} id={`end-${phone.id}`} request={request}>
      <button className="btn quiet" type="submit" aria-label={`${label}: ${phone.name}`}>
        {label}
      </button>
    </ActionForm>
  );
}
