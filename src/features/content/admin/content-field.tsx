import { TextArea, TextField } from "#admin/ui/form.tsx";
import { type ContentField, type ContentValue, toText } from "../server/editing/kind.ts";

/** A field of a kind, as its input asks. `isFixed`: it stays as it is, because visitors know it. */
export function ContentFieldInput({
  field,
  value,
  isFixed = false,
}: {
  field: ContentField;
  value: ContentValue | undefined;
  isFixed?: boolean;
}) {
  const { name, label, hint, input } = field;
  const shared = { name, label, hint, defaultValue: toText(value) };
  switch (input) {
    case "html":
      return <TextArea {...shared} rows={18} data-enhance="rich-text" />;
    case "lines":
      return <TextArea {...shared} rows={3} />;
    case "links":
      return <TextArea {...shared} rows={4} />;
    case "day":
      return <TextField {...shared} type="date" />;
    case "number":
      return <TextField {...shared} inputMode="numeric" />;
    case "address":
      return <TextField {...shared} readOnly={isFixed} spellCheck={false} />;
    case "picture":
      return <TextField {...shared} spellCheck={false} />;
    default:
      return <TextField {...shared} />;
  }
}
