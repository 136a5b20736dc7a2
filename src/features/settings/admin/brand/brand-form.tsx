import type { FilledForm, ScreenRequest } from "#admin/screen.ts";
import { ActionForm, ChoiceField, TextField } from "#admin/ui/form.tsx";
import { isHex } from "#shared/brand/oklch.ts";
import type { SiteBrand } from "#shared/brand/site-brand.ts";
import { type BrandField, brandFields, brandGroups, listBrandChanges, sectionLabels } from "../../brand-fields.ts";
import type { BrandVersion } from "../../server/brand-store.ts";
import { TheirChanges } from "../their-changes-panel.tsx";
import { BRAND_PATH } from "./brand-part.ts";
import { Swatch } from "./contrast-panel.tsx";

type FormProps = { version: BrandVersion; base: SiteBrand | null; request: ScreenRequest };

/** Everything that is chosen. Saving makes a draft of it. */
export function BrandForm({ version, base, request }: FormProps) {
  const { brand, savedBy, number } = version;
  const theirs = base === null ? [] : (listBrandChanges(base, brand)?.changed ?? []);
  const form = base === null ? request.form : withTheirs(request.form, { base, brand });
  return (
    <ActionForm action={BRAND_PATH} id="brand" request={{ form }} className="settings-form brand-form">
      <input type="hidden" name="from" value={number} />
      {/* Pressing Enter in a field saves, and moves no block. */}
      <button className="sr" type="submit" tabIndex={-1} aria-hidden="true">
        Save the draft
      </button>
      {theirs.length > 0 && <TheirChanges changes={theirs} by={savedBy} />}
      {brandGroups.map(({ name, title, about, fields }) => (
        <section className="panel" aria-labelledby={`group-${name}`} key={name}>
          <h2 id={`group-${name}`}>{title}</h2>
          {about && <p className="hint">{about}</p>}
          <div className="settings-form">
            {fields.map((field) => (
              <BrandInput field={field} brand={brand} key={field.name} />
            ))}
          </div>
        </section>
      ))}
      <HomeBlocks brand={brand} form={form} />
      <div className="acts">
        <button className="btn" type="submit">
          Save the draft
        </button>
      </div>
    </ActionForm>
  );
}

function BrandInput({ field, brand }: { field: BrandField; brand: SiteBrand }) {
  const { name, label, hint } = field;
  const value = brand[name];
  const shared = { name, label, ...(hint && { hint }) };
  switch (field.input) {
    case "choice":
      return <ChoiceField name={name} label={label} isSingle options={field.options} chosen={[String(value)]} />;
    case "tick":
      return (
        <ChoiceField
          name={name}
          label={label}
          options={[{ value: "yes", label: field.ticked ?? "Show" }]}
          chosen={value ? ["yes"] : []}
        />
      );
    case "colour":
      return (
        <TextField
          {...shared}
          defaultValue={String(value)}
          spellCheck={false}
          autoComplete="off"
          data-enhance="colour-field"
          below={(typed) => (isHex(typed) ? <Swatch shade={typed} /> : null)}
        />
      );
    case "picture":
      return (
        <TextField
          {...shared}
          isOptional
          defaultValue={String(value)}
          spellCheck={false}
          data-enhance="picture"
          below={(typed) =>
            /^\/images\/[0-9a-f]{32}$/.test(typed) ? <img className="picture-thumb" src={typed} alt="" /> : null
          }
        />
      );
    default:
      return <TextField {...shared} isOptional defaultValue={String(value)} />;
  }
}

/** In the order of the page, each with ways to move it. */
function HomeBlocks({ brand, form }: { brand: SiteBrand; form: FilledForm | null }) {
  const shown = form?.action === BRAND_PATH ? (form.values.shown ?? []) : null;
  return (
    <section className="panel" aria-labelledby="group-home">
      <h2 id="group-home">Home page</h2>
      <p className="hint">
        The banner comes first. Below it these blocks follow; a block without content is left out. Moving one saves the
        draft.
      </p>
      <input type="hidden" name="order" value={brand.home.map(({ name }) => name).join(",")} />
      <ol className="brand-blocks">
        {brand.home.map(({ name, isShown }, index) => (
          <li key={name}>
            <label className="check">
              <input
                className="box"
                type="checkbox"
                name="shown"
                value={name}
                defaultChecked={shown === null ? isShown : shown.includes(name)}
              />
              <span>{sectionLabels[name]}</span>
            </label>
            <span className="acts">
              {index > 0 && <Move name={name} direction="up" />}
              {index < brand.home.length - 1 && <Move name={name} direction="down" />}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Move({ name, direction }: { name: keyof typeof sectionLabels; direction: "up" | "down" }) {
  const label = `Move ${direction}: ${sectionLabels[name]}`;
  return (
    <button className="btn quiet" type="submit" name="move" value={`${name}:${direction}`} aria-label={label}>
      {direction === "up" ? "Up" : "Down"}
    </button>
  );
}

/** What was typed, and what somebody else has saved where nothing else was typed. */
function withTheirs(
  form: FilledForm | null,
  { base, brand }: { base: SiteBrand; brand: SiteBrand },
): FilledForm | null {
  if (form === null) return null;
  const textIn = (from: SiteBrand, name: BrandField["name"]) =>
    typeof from[name] === "boolean" ? (from[name] ? "yes" : "") : from[name];
  const left = brandFields.flatMap(({ name }) => {
    const isLeftAlone = (form.values[name]?.[0] ?? "") === textIn(base, name);
    const text = textIn(brand, name);
    return isLeftAlone ? [[name, text === "" ? [] : [text]] as const] : [];
  });
  return { ...form, values: { ...form.values, ...Object.fromEntries(left) } };
}
