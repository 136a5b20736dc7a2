import { ChoiceField, type Option, SelectField, TextArea, TextField } from "#admin/ui/form.tsx";
import { listTimeZones } from "#shared/language.ts";
import { type ContentField, type ContentValue, isPictureAddress, toText } from "../server/editing/kind.ts";

/** The form field for a column of a kind. `funds` are the causes that donors can give to. */
export function ContentFieldInput({
  field,
  value,
  funds,
}: {
  field: ContentField;
  value: ContentValue | undefined;
  funds: readonly Option[];
}) {
  const { name, label, hint, input } = field;
  const shared = { name, label, hint, defaultValue: toText(value) };
  switch (input) {
    case "html":
      return <TextArea {...shared} hint={textHint(hint)} rows={18} data-enhance="rich-text" />;
    case "lines":
      return <TextArea {...shared} rows={3} />;
    case "menu":
      return <TextArea {...shared} rows={8} spellCheck={false} />;
    case "hidden":
      return <input type="hidden" name={name} value={shared.defaultValue} />;
    case "links":
      return <TextArea {...shared} rows={4} />;
    case "day":
      return <TextField {...shared} type="date" />;
    case "clock":
    case "moment":
      return <TextField {...shared} type="datetime-local" />;
    case "zone":
      return <SelectField {...shared} options={zoneOptions(shared.defaultValue)} />;
    case "number":
      return <TextField {...shared} inputMode="numeric" />;
    case "address":
      return <TextField {...shared} spellCheck={false} />;
    case "fund":
      return <SelectField {...shared} options={fundOptions(funds, shared.defaultValue)} />;
    case "tick":
      return (
        <ChoiceField
          name={name}
          label={label}
          options={[{ value: "yes", label: hint ?? label }]}
          chosen={[shared.defaultValue]}
        />
      );
    case "picture":
      return <TextField {...shared} spellCheck={false} data-enhance="picture" below={showPicture} />;
    default:
      return <TextField {...shared} />;
  }
}

/** The editor hides what matters only to whoever writes HTML. */
const textHint = (hint: string | undefined) => (
  <>
    {hint}{" "}
    <span data-html-only="">
      As HTML: &lt;p&gt;, &lt;h2&gt;, &lt;h3&gt;, &lt;ul&gt;, &lt;ol&gt;, &lt;li&gt;, &lt;a&gt;, &lt;strong&gt;,
      &lt;em&gt;, &lt;blockquote&gt;, &lt;table&gt;, &lt;img&gt;. We tell you if anything else would be left out.
    </span>
  </>
);

/** With the one that was chosen, if this machine does not know it. */
function zoneOptions(chosen: string): readonly Option[] {
  const zones = listTimeZones();
  const all = zones.includes(chosen) || chosen === "" ? zones : [chosen, ...zones];
  return all.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
}

/** With the one that was chosen, even if it has been taken out since. */
function fundOptions(funds: readonly Option[], chosen: string): readonly Option[] {
  const isGone = chosen !== "" && !funds.some(({ value }) => value === chosen);
  const gone = isGone ? [{ value: chosen, label: `${chosen} (not on offer)` }] : [];
  return [{ value: "", label: "None: donors choose" }, ...funds, ...gone];
}

/** The picture at this address, if it can be one. */
function showPicture(typed: string) {
  const address = typed.trim();
  return isPictureAddress(address) ? <img className="picture-thumb" src={address} alt="" /> : null;
}
