import { type FilledForm, type Screen, type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextArea, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { isPlaceholder, MAX_BANKS, type Organisation } from "#shared/organisation.ts";
import { listOrganisationChanges } from "../../organisation-changes.ts";
import {
  hasBanks,
  listBankFields,
  type OrganisationField,
  type OrganisationGroup,
  textOf,
  valueName,
} from "../../organisation-fields.ts";
import type { EarlierOrganisation, OrganisationVersion } from "../../server/organisation-store.ts";
import { EarlierVersions, fillFromVersion, readChosenVersion } from "../earlier-versions.tsx";
import { TheirChanges } from "../their-changes-panel.tsx";
import { groupPath, ORGANISATION_PATH, previewFormPath } from "./organisation-part.ts";
import { listTheirs, withTheirs } from "./their-changes.ts";

type Shown = {
  readonly version: OrganisationVersion;
  readonly delivered: Organisation;
  /** As the form found it, if somebody has changed it since. */
  readonly base: Organisation | null;
  /** The versions in which this group differs from now, latest first. */
  readonly earlier: readonly EarlierOrganisation[];
  /** The earlier version that somebody wants in the form. */
  readonly chosen: EarlierOrganisation | undefined;
  readonly now: Date;
};

/** The form of one group. */
export function groupScreen(group: OrganisationGroup): Screen {
  return screen<Shown>({
    path: groupPath(group),
    right: "settings.change",
    section: "settings",
    load: async (reads, request) => {
      const { readOrganisationVersion, listEarlierOrganisations, findEarlierOrganisation, now } = reads;
      const [version, versions] = await Promise.all([readOrganisationVersion(), listEarlierOrganisations()]);
      const wanted = readChosenVersion(request);
      const from = Number(request.form?.values.from?.[0] ?? version.number);
      const isOld = Number.isInteger(from) && from >= 0 && from < version.number;
      const base = isOld ? await findEarlierOrganisation(from) : null;
      return {
        version,
        delivered: reads.deliveredOrganisation,
        base,
        now: now(),
        earlier: versions.filter(
          ({ organisation }) => listOrganisationChanges(group, organisation, version.organisation) !== null,
        ),
        chosen: versions.find(({ number }) => number === wanted),
      };
    },
    title: () => group.title,
    body: (shown, request) => <GroupBody group={group} shown={shown} request={request} />,
  });
}

function GroupBody({ group, shown, request }: { group: OrganisationGroup; shown: Shown; request: ScreenRequest }) {
  const { version, delivered, base, earlier, now } = shown;
  const current = version.organisation;
  const theirs = base === null ? [] : listTheirs(group, base, current);
  const form = fillForm(group, request.form, shown);
  return (
    <>
      <PageHead title={group.title} about={group.about} crumbs={[{ label: "Organisation", path: ORGANISATION_PATH }]} />
      <ActionForm action={groupPath(group)} id="organisation" request={{ form }} className="settings-form">
        <input type="hidden" name="from" value={version.number} />
        {theirs.length > 0 && <TheirChanges changes={theirs} by={version.savedBy?.name ?? null} />}
        {hasBanks(group) ? (
          <Banks current={current} delivered={delivered} form={form} />
        ) : (
          group.fields.map((field) => (
            <DetailField field={field} current={current} delivered={delivered} form={form} key={field.name} />
          ))
        )}
        {group.isProtected && (
          <p className="hint">
            Saving asks for your passkey.
            {!request.hasNoMail && " All administrators then get an email that says what was changed."}
            {hasBanks(group) &&
              " If there is another administrator, donors see new accounts once they have approved them."}
          </p>
        )}
        <div className="acts">
          <button className="btn" type="submit">
            Save
          </button>
          <a className="btn quiet" href={ORGANISATION_PATH}>
            Leave it as it is
          </a>
        </div>
        <section className="panel previews" aria-labelledby="previews">
          <h2 id="previews">See it first</h2>
          <p className="small">Shows what you have typed, in a new tab, and saves nothing.</p>
          <div className="acts">
            <PreviewButton group={group} show="page">
              Header, footer and contact page
            </PreviewButton>
            <PreviewButton group={group} show="receipt">
              A specimen receipt (PDF)
            </PreviewButton>
          </div>
        </section>
      </ActionForm>
      <EarlierVersions versions={earlier} path={groupPath(group)} now={now} />
    </>
  );
}

/** What the fields of a group have for an organisation. */
function valuesOf(group: OrganisationGroup, organisation: Organisation): FilledForm["values"] {
  const places = Array.from({ length: MAX_BANKS }, (_, place) => place);
  const fields = hasBanks(group) ? places.flatMap(listBankFields) : group.fields;
  return Object.fromEntries(fields.map(({ name }) => [name, [fieldText(organisation, name)]]));
}

/** A new site's own words are not worth keeping, so the field is empty. */
function fieldText(organisation: Organisation, name: string): string {
  const text = textOf(organisation, name);
  return isPlaceholder(name, text) ? "" : text;
}

function PreviewButton({ group, show, children }: { group: OrganisationGroup; show: string; children: string }) {
  return (
    <button
      className="btn quiet"
      type="submit"
      name="show"
      value={show}
      formAction={previewFormPath(group)}
      formTarget="_blank"
    >
      <Icon name="ext" />
      {children}
    </button>
  );
}

/** What was sent, also to be looked at; fields that were left alone have what somebody else has saved since. */
function fillForm(
  group: OrganisationGroup,
  form: FilledForm | null,
  { base, chosen, version: { organisation: current } }: Shown,
): FilledForm | null {
  if (form === null) {
    if (chosen === undefined) return null;
    return fillFromVersion(groupPath(group), chosen.number, valuesOf(group, chosen.organisation));
  }
  const values = base === null ? form.values : withTheirs(group, form.values, { base, current });
  return { ...form, action: groupPath(group), values };
}

type DetailProps = {
  readonly field: OrganisationField;
  readonly current: Organisation;
  readonly delivered: Organisation;
  readonly form: FilledForm | null;
};

function DetailField({
  field: { name, label, hint, isOptional = false, input },
  current,
  delivered,
  form,
}: DetailProps) {
  const text = fieldText(current, name);
  const shared = { name, label, isOptional, ...(hint && { hint }), defaultValue: text };
  return (
    <div className="detail">
      {input === "yes or no" ? (
        <ChoiceField name={name} label={label} isSingle options={yesOrNo} chosen={[text]} />
      ) : input === "paragraph" ? (
        <TextArea {...shared} rows={3} />
      ) : (
        <TextField {...shared} />
      )}
      <Source name={name} label={label} current={current} delivered={delivered} form={form} />
    </div>
  );
}

const yesOrNo = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** Whether the value is the delivered one, and the way back to it. */
function Source({
  name,
  label,
  current,
  delivered,
  form,
}: Omit<DetailProps, "field"> & { readonly name: string; readonly label: string }) {
  const original = textOf(delivered, name);
  if (isPlaceholder(name, original)) return null;
  const isDelivered = textOf(current, name) === original;
  if (isDelivered) return original === "" ? null : <p className="hint">As delivered</p>;
  return (
    <label className="check">
      <input
        className="box"
        type="checkbox"
        name="delivered"
        value={name}
        defaultChecked={form?.values.delivered?.includes(name) ?? false}
        aria-label={`${label}: as delivered`}
      />
      <span>
        As delivered
        <span className="hint as-typed" dir="auto">
          Changed here. As delivered it is {original === "" ? "empty." : <bdi>‘{original}’</bdi>}
        </span>
      </span>
    </label>
  );
}

/** The accounts, and room for one more. */
function Banks({ current, delivered, form }: Omit<DetailProps, "field">) {
  const typed = Object.keys(form?.values ?? {}).flatMap((name) => {
    const isTyped = form!.values[name]!.some((text) => text !== "");
    return name.startsWith("banks.") && isTyped ? [Number(name.split(".")[1]) + 1] : [];
  });
  const shown = Math.min(MAX_BANKS, Math.max(current.banks.length + 1, ...typed));
  return (
    <>
      {Array.from({ length: shown }, (_, place) => listBankFields(place)).map((fields, place) => (
        <fieldset className="bank-fields" key={fields[0]!.name}>
          <legend>{place < current.banks.length ? `Account ${place + 1}` : "Add an account"}</legend>
          {fields.map(({ name, label }) => (
            <TextField name={name} label={label} defaultValue={textOf(current, name)} key={name} />
          ))}
        </fieldset>
      ))}
      <p className="hint">To remove an account, empty all of its fields.</p>
      <Source name={valueName("banks.")} label="Bank accounts" current={current} delivered={delivered} form={form} />
    </>
  );
}
