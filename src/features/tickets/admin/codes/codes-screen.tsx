import { type ScreenRequest, screen } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { ActionForm, ChoiceField, TextField } from "#admin/ui/form.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatEventMoment } from "#shared/events/event-times.ts";
import { plainDollars } from "#shared/money.ts";
import { describeDiscount } from "../../discounts.ts";
import { cityOf, writeClock } from "../ticket-services.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import { type CodeOfEvent, type CodesOfEvent, describeTypes, savedCode } from "./codes-part.ts";

type Shown = { readonly found: CodesOfEvent; readonly now: Date };

/** The discount codes of an event, and a form for another. */
export const codesScreen = screen<Shown>({
  path: "/admin/events/:id/codes",
  right: "events.see",
  section: "events",
  load: async ({ findCodesOfEvent, now }, { params }) => {
    const found = await findCodesOfEvent(params.id!);
    return found && { found, now: now() };
  },
  title: ({ found }) => `Discount codes for ${found.event.title}`,
  body: ({ found, now }, request) => (
    <>
      <EventScreenHead event={found.event} here="codes" request={request} />
      {found.codes.length === 0 ? (
        <p className="muted">This event has no discount codes yet. Buyers enter a code at the checkout.</p>
      ) : (
        <CodesTable found={found} now={now} />
      )}
      {mayPlan(request) && (
        <section className="sec" aria-labelledby="new-code">
          <div className="sec-h">
            <h2 id="new-code">Add a code</h2>
          </div>
          <CodeForm found={found} code={null} request={request} />
        </section>
      )}
    </>
  ),
});

export const codeScreen = screen<{ readonly found: CodesOfEvent; readonly code: CodeOfEvent }>({
  path: "/admin/events/:id/codes/:code",
  right: "events.change",
  section: "events",
  load: async ({ findCodesOfEvent }, { params }) => {
    const found = await findCodesOfEvent(params.id!);
    const code = found?.codes.find(({ id }) => String(id) === params.code);
    return found && code ? { found, code } : null;
  },
  title: ({ code }) => code.code,
  body: ({ found, code }, request) => (
    <>
      <EventScreenHead event={found.event} here="codes" request={request} />
      <h2 className="as-typed">{code.code}</h2>
      <CodeForm found={found} code={code} request={request} />
      {code.ended_at === null && (
        <section className="sec" aria-labelledby="end-code">
          <div className="sec-h">
            <h2 id="end-code">End it</h2>
          </div>
          <p className="hint">Nobody can use it any more. Orders that have it keep their price.</p>
          <form method="post" action={`${eventScreenPath(found.event.screenId, "codes")}/${code.id}/end`}>
            <button className="btn quiet" type="submit">
              End the code
            </button>
          </form>
        </section>
      )}
    </>
  ),
});

function CodesTable({ found: { event, codes, types }, now }: Shown) {
  const path = eventScreenPath(event.screenId, "codes");
  const at = (moment: Date) => formatEventMoment(moment, event.timeZone);
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">Discount codes, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Takes off</th>
            <th scope="col">State</th>
            <th scope="col">Ends</th>
            <th scope="col" className="num">
              Used
            </th>
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <tr data-id={code.id} key={code.id}>
              <th scope="row" className="k-c as-typed">
                <a href={`${path}/${code.id}`}>{code.code}</a>
              </th>
              <td className="m-c">
                {describeDiscount(code)}
                <span className="two-l">{describeTypes(code, types)}</span>
              </td>
              <td className="s-c">{stateOf(code, now)}</td>
              <td className="m-c" data-l="Ends">
                {code.valid_until === null ? "With the sales" : at(code.valid_until)}
              </td>
              <td className="num v-c nowrap">
                {code.most_uses === null ? `${code.uses}` : `${code.uses} of ${code.most_uses}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function stateOf({ ended_at, valid_from, valid_until, most_uses, uses }: CodeOfEvent, now: Date) {
  if (ended_at !== null || (valid_until !== null && valid_until <= now)) return <Status look="off">Ended</Status>;
  if (valid_from !== null && valid_from > now) return <Status look="plain">Not yet</Status>;
  if (most_uses !== null && uses >= most_uses) return <Status look="off">Used up</Status>;
  return <Status look="ok">Can be used</Status>;
}

type CodeFormProps = { found: CodesOfEvent; code: CodeOfEvent | null; request: ScreenRequest };

function CodeForm({ found: { event, types }, code, request }: CodeFormProps) {
  const path = eventScreenPath(event.screenId, "codes");
  const city = cityOf(event.timeZone);
  const ticked = (id: number) => code === null || code.type_ids.length === 0 || code.type_ids.includes(id);
  return (
    <ActionForm
      action={code === null ? path : `${path}/${code.id}`}
      id="code"
      request={request}
      className="settings-form"
    >
      {code !== null && <input type="hidden" name="was" value={JSON.stringify(savedCode(code, event, types))} />}
      {code === null && (
        <TextField
          name="code"
          label="Code"
          spellCheck={false}
          autoCapitalize="characters"
          hint="Such as SPRING26. Buyers may type it in small letters and with spaces."
        />
      )}
      <ChoiceField
        name="kind"
        label="It takes off"
        isSingle
        chosen={[code?.cents ? "cents" : "percent"]}
        options={[
          { value: "percent", label: "A percentage" },
          { value: "cents", label: "Dollars off each ticket" },
        ]}
      />
      <TextField
        name="amount"
        label="How much"
        inputMode="decimal"
        hint="Such as 20. A ticket costs nothing or at least $1.00, the least that the payment providers take."
        defaultValue={code === null ? "" : code.percent === null ? plainDollars(code.cents!) : String(code.percent)}
      />
      {types.length > 1 && (
        <ChoiceField
          name="types"
          label="On which tickets"
          options={types.map(({ id, title }) => ({ value: String(id), label: title }))}
          chosen={types.filter(({ id }) => ticked(id)).map(({ id }) => String(id))}
        />
      )}
      <div className="frow">
        <TextField
          name="from"
          label="From"
          type="datetime-local"
          isOptional
          hint={`${city} time.`}
          defaultValue={writeClock(code?.valid_from ?? null, event.timeZone)}
        />
        <TextField
          name="until"
          label="Until"
          type="datetime-local"
          isOptional
          hint={`${city} time.`}
          defaultValue={writeClock(code?.valid_until ?? null, event.timeZone)}
        />
      </div>
      <div className="frow">
        <TextField
          name="uses"
          label="Tickets in all"
          inputMode="numeric"
          isOptional
          hint="How many tickets it can make cheaper. A held seat counts until its hold ends."
          defaultValue={String(code?.most_uses ?? "")}
        />
        <TextField
          name="perOrder"
          label="Most in one order"
          inputMode="numeric"
          hint="In a larger order it applies where it saves most."
          defaultValue={String(code?.most_per_order ?? 10)}
        />
      </div>
      <div className="acts">
        <button className="btn" type="submit">
          {code === null ? "Add the code" : "Save"}
        </button>
      </div>
    </ActionForm>
  );
}
