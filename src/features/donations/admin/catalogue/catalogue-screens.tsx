import { type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars, formatList } from "#shared/language.ts";
import { entryWays } from "../../catalogue.ts";
import type { Cause } from "../../server/find-cause.ts";
import { CATALOGUE_PATH, causeScreenPath } from "./catalogue-step.ts";
import { causeScreen } from "./cause-screen.tsx";
import { mayChangeCatalogue } from "./may-change.ts";
import { ReceiptFields, yesOrNo } from "./receipt-fields.tsx";

const list = screen({
  path: CATALOGUE_PATH,
  right: "catalogue.see",
  section: "content",
  menuLabel: "What donors give to",
  load: ({ listCauses }) => listCauses(),
  title: () => "What donors give to",
  body: (causes, request) => (
    <>
      <PageHead title="What donors give to" about="The causes of the donation form, in its order, with today’s prices.">
        {mayChangeCatalogue(request) && (
          <a className="btn" href={`${CATALOGUE_PATH}/new`}>
            <Icon name="plus" />
            Add a cause
          </a>
        )}
      </PageHead>
      {request.form?.message && (
        <div className="editor-note">
          <Note look="bad" isNews>
            {request.form.message}
          </Note>
        </div>
      )}
      <CausesTable causes={causes} request={request} />
    </>
  ),
});

function CausesTable({ causes, request }: { causes: readonly Cause[]; request: ScreenRequest }) {
  const offered = causes.filter(({ isRetired }) => !isRetired);
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">What donors give to</caption>
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">State</th>
            <th scope="col">Price</th>
            <th scope="col">On the receipt</th>
            {mayChangeCatalogue(request) && <th scope="col">Order</th>}
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <tr data-id={cause.id} key={cause.id}>
              <th scope="row" className="k-c">
                <a href={causeScreenPath(cause)}>
                  <bdi>{cause.title}</bdi>
                </a>
              </th>
              <td className="s-c">
                <Status look={cause.isRetired ? "off" : "ok"}>{cause.isRetired ? "Not on offer" : "On offer"}</Status>
              </td>
              <td className="m-c" data-l="Price">
                {describePrice(cause)}
              </td>
              <td className="m-c" data-l="Receipt">
                {cause.receiptKind === "gift" ? "Gift" : "Not deductible"}
              </td>
              {mayChangeCatalogue(request) && (
                <td className="m-c">
                  {!cause.isRetired && (
                    <MoveButtons
                      action={`${causeScreenPath(cause)}/move`}
                      title={cause.title}
                      isFirst={cause === offered[0]}
                      isLast={cause === offered.at(-1)}
                    />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describePrice({ isFree, hasKinds, cents, kinds }: Cause): string {
  if (isFree) return "The donor chooses";
  if (!hasKinds) return cents === null ? "–" : formatDollars(cents);
  const priced = kinds.filter((kind) => !kind.isRetired && kind.cents !== null);
  return formatList(
    priced.map(({ title, cents: each }) => `${title} ${formatDollars(each!)}`),
    "comma",
  );
}

type MoveProps = { action: string; title: string; isFirst: boolean; isLast: boolean };

function MoveButtons({ action, title, isFirst, isLast }: MoveProps) {
  return (
    <form method="post" action={action} className="row-acts">
      {!isFirst && (
        <button className="lk" type="submit" name="direction" value="up" aria-label={`Move ${title} up`}>
          Up
        </button>
      )}
      {!isLast && (
        <button className="lk" type="submit" name="direction" value="down" aria-label={`Move ${title} down`}>
          Down
        </button>
      )}
    </form>
  );
}

const newCause = screen({
  path: `${CATALOGUE_PATH}/new`,
  right: "catalogue.change",
  section: "content",
  load: async () => ({}),
  title: () => "Add a cause",
  body: (_, request) => (
    <>
      <PageHead
        title="Add a cause"
        about="Donors can choose it as soon as you add it. Its name in the books is made from the title."
        crumbs={[{ label: "What donors give to", path: CATALOGUE_PATH }]}
      />
      <ActionForm action={`${CATALOGUE_PATH}/new`} id="cause" request={request} className="settings-form">
        <TextField name="title" label="Title" hint="On the donation form and on receipts." />
        <TextField name="description" label="Description" hint="A sentence below the choice." isOptional />
        <ChoiceField
          name="way"
          label="How it is given (this cannot be changed later)"
          isSingle
          options={Object.entries(entryWays).map(([value, { label }]) => ({ value, label }))}
          chosen={["free"]}
        />
        <TextField
          name="firstKind"
          label="First kind, if it has kinds"
          hint="Such as ‘Goat’. Add others later."
          isOptional
        />
        <TextField name="dollars" label="Price of one, if it has a price" prefix="$" inputMode="decimal" isOptional />
        <ChoiceField
          name="asksNames"
          label="Ask on whose behalf each one is given"
          isSingle
          options={yesOrNo}
          chosen={["no"]}
        />
        <ReceiptFields receiptKind="gift" hasAdminFee />
        <p className="hint">Adding it asks for your passkey.</p>
        <div className="acts">
          <button className="btn" type="submit">
            Add it
          </button>
          <a className="btn quiet" href={CATALOGUE_PATH}>
            Cancel
          </a>
        </div>
      </ActionForm>
    </>
  ),
});

export const catalogueScreens: readonly Screen[] = [list, newCause, causeScreen];
