import { Icon } from "#admin/ui/icon.tsx";
import type { DonationList } from "./list-screen.ts";
import { filterNames } from "./read-filter.ts";

/** Exports the same rows as a file. Says first that the export asks for proof and is recorded. */
export function ExportMenu({ list: { typed, maySeeFaith } }: { list: DonationList }) {
  return (
    <details className="menu">
      <summary className="btn quiet">
        <Icon name="down" />
        Export
      </summary>
      <form className="pop" action="/admin/donations.csv" aria-label="Export">
        {filterNames.map(
          (name) => typed[name] !== "" && <input type="hidden" name={name} value={typed[name]} key={name} />,
        )}
        {maySeeFaith && (
          <p>
            <label className="check">
              <input className="box" type="checkbox" name="faith" value="yes" />
              With what each gift is for, which shows who gave Zakat or Qurban
            </label>
          </p>
        )}
        <button type="submit" formAction="/admin/donations.xlsx">
          <Icon name="table" />
          Spreadsheet (XLSX)
        </button>
        <button type="submit">
          <Icon name="note" />
          Plain table (CSV)
        </button>
        <p>Asks again who you are, and is written to the audit trail.</p>
      </form>
    </details>
  );
}
