import { Filters, SearchFilter, SelectFilter, TypedFilter } from "#admin/ui/filters.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import type { FieldErrors } from "#shared/errors.ts";
import { type DonationOrder, orders } from "../../server/search/donation-order.ts";
import { donationStates } from "../../server/search/donation-states.ts";
import { methodWords } from "./filter-words.ts";
import type { DonationList } from "./list-screen.ts";
import { writeOrder } from "./read-filter.ts";

const rare = ["fund", "min", "max"] as const;
const orderOptions = (Object.keys(orders) as DonationOrder[]).map((order) => ({
  value: writeOrder(order),
  label: orders[order].label,
}));

/** The filters; those used less often are under More. */
export function DonationFilters({ list: { typed, errors, funds, order } }: { list: DonationList }) {
  const set = rare.filter((name) => typed[name] !== "").length;
  return (
    <Filters label="Donations" path="/admin/donations">
      <SearchFilter value={typed.q} placeholder="Name, email, receipt, amount or reference" errors={errors} />
      <TypedFilter name="from" label="From" value={typed.from} type="date" errors={errors} />
      <TypedFilter name="to" label="To" value={typed.to} type="date" errors={errors} />
      <MethodFilter value={typed.method} errors={errors} />
      <SelectFilter
        name="state"
        label="State"
        value={typed.state}
        options={[
          { value: "", label: "Any state" },
          ...Object.entries(donationStates).map(([value, { label }]) => ({ value, label })),
        ]}
        errors={errors}
      />
      <details className="menu" open={[...rare, "sort"].some((name) => errors[name] !== undefined)}>
        <summary className="btn quiet">
          <Icon name="sliders" />
          {set === 0 ? "More" : `More (${set})`}
        </summary>
        <div className="pop fields">
          <FundFilter value={typed.fund} funds={funds} errors={errors} />
          <TypedFilter name="min" label="At least, in dollars" value={typed.min} type="amount" errors={errors} />
          <TypedFilter name="max" label="At most, in dollars" value={typed.max} type="amount" errors={errors} />
          <SelectFilter name="sort" label="Order" value={writeOrder(order)} options={orderOptions} errors={errors} />
        </div>
      </details>
    </Filters>
  );
}

type FilterProps = { readonly value: string; readonly errors: FieldErrors };

export function MethodFilter({ value, errors }: FilterProps) {
  const methods = Object.entries(methodWords).map(([method, label]) => ({ value: method, label }));
  const options = [{ value: "", label: "Any way" }, ...methods];
  return <SelectFilter name="method" label="Paid by" value={value} options={options} errors={errors} />;
}

export function FundFilter({ value, funds, errors }: FilterProps & Pick<DonationList, "funds">) {
  const titles = funds.map(({ fund, title }) => ({ value: fund, label: title }));
  const options = [{ value: "", label: "Any fund" }, ...titles];
  return <SelectFilter name="fund" label="Fund" value={value} options={options} errors={errors} />;
}
