import type { PaymentMethod } from "#payments/checkout/contract.ts";
import type { Fees } from "#payments/fees.ts";
import type { Config } from "#shared/config/config.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { formatDollars } from "#shared/language.ts";
import { findCategory, lineFaults, type Priced, price, subtotalCents } from "../cart.ts";
import { type CardPayment, type PaidLine, type PayPalPayment, wireField } from "../contract.ts";
import { ANONYMOUS } from "../donor.ts";
import type { CatalogueCategory, PricedLine } from "./store.ts";

type Money = Pick<Config, "limits"> & { readonly fees: Fees };
type AnyPayment = CardPayment | PayPalPayment;
type Checked =
  | { readonly ok: true; readonly lines: readonly PricedLine[]; readonly priced: Priced }
  | { readonly ok: false; readonly fields: FieldErrors };

/** Prices a payment again from the catalogue (DON-12). Each difference is an error under its wire field. */
export function checkPayment(
  payment: AnyPayment,
  method: PaymentMethod,
  { catalogue, money }: { catalogue: readonly CatalogueCategory[]; money: Money },
): Checked {
  const fields: Record<string, string[]> = {};
  const fault = (field: string, message: string) => {
    fields[field] = [...(fields[field] ?? []), message];
  };
  checkDonor(payment, fault);
  const lines = payment.lines.flatMap((line, index) => {
    const from = findCategory(line, catalogue);
    for (const { field, message } of lineFaults(line, from)) fault(lineField(index, field), message);
    return from === undefined ? [] : [{ ...line, from, adminFeeApplies: from.adminFeeApplies }];
  });
  if (Object.keys(fields).length > 0) return { ok: false, fields };
  checkLimits(payment.lines, money.limits, fault);
  const priced = findPrice(payment, lines, { method, fees: money.fees });
  if (payment.totalCents !== priced.totalCents) {
    fault(wireField.totalCents, `The total has changed to ${formatDollars(priced.totalCents)}. Please check it again`);
  }
  payment.lines.forEach((line, index) => {
    const expected = {
      netCents: line.quantity * line.unitCents,
      adminShareCents: priced.adminSharesCents[index]!,
      merchantShareCents: priced.merchantSharesCents[index]!,
    };
    for (const field of ["netCents", "adminShareCents", "merchantShareCents"] as const) {
      const isWrong = line[field] !== undefined && line[field] !== expected[field];
      if (isWrong) fault(lineField(index, field), `This should be ${formatDollars(expected[field])}`);
    }
  });
  return Object.keys(fields).length > 0 ? { ok: false, fields } : { ok: true, lines, priced };
}

const lineField = (index: number, field: keyof typeof wireField.line) =>
  `${wireField.lines}.${index}.${wireField.line[field]}`;

/** The wire doesn't say whether the donor covers the admin fee. The total shows it, or else the lines' shares. */
function findPrice(
  payment: AnyPayment,
  lines: readonly (PricedLine & { adminFeeApplies: boolean })[],
  { method, fees }: { method: PaymentMethod; fees: Money["fees"] },
): Priced {
  const covering = price(lines, method, true, fees);
  const bare = price(lines, method, false, fees);
  if (payment.totalCents === covering.totalCents) return covering;
  if (payment.totalCents === bare.totalCents) return bare;
  return payment.lines.some(({ adminShareCents = 0 }) => adminShareCents > 0) ? covering : bare;
}

function checkDonor(payment: AnyPayment, fault: (field: string, message: string) => void) {
  const { firstName, lastName, email, isAnonymous } = payment;
  if (payment.donorEmail !== email) fault(wireField.donorEmail, "The two email addresses don’t match");
  const isNamedRight = !isAnonymous || (firstName === ANONYMOUS.firstName && lastName === ANONYMOUS.lastName);
  if (!isNamedRight || payment.donorName.trim() !== `${firstName} ${lastName}`) {
    fault(wireField.donorName, "The donor’s name must match the first and last name");
  }
  if (payment.firstLineCategory !== payment.lines[0]?.category) {
    fault(wireField.firstLineCategory, "This must be the first line’s category");
  }
}

function checkLimits(
  lines: readonly PaidLine[],
  { minimumCents, maximumCents }: Money["limits"],
  fault: (field: string, message: string) => void,
) {
  const subtotal = subtotalCents(lines);
  if (subtotal < minimumCents || subtotal > maximumCents) {
    fault(
      wireField.totalCents,
      `Donate between ${formatDollars(minimumCents)} and ${formatDollars(maximumCents)} at a time`,
    );
  }
}
