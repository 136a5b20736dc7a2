import { z } from "zod";

const plainDecimal = /^-?\d{1,12}(\.\d{1,2})?$/;

/**
 * Cents in code; dollars on the wire, as a JSON number or text with at most two decimals (DON-18). 10.5 and "10.50" are
 * 1050; a third decimal, an exponent or infinity is refused.
 */
export const Dollars = z.codec(z.union([z.number(), z.string()], "Enter an amount in dollars and cents"), z.int(), {
  decode: (dollars, context) => {
    const text = String(dollars);
    if (!plainDecimal.test(text)) {
      context.issues.push({ code: "custom", input: dollars, message: "Enter an amount in dollars and cents" });
      return z.NEVER;
    }
    const [whole, decimals = ""] = text.split(".");
    const cents = Number(`${whole}${decimals.padEnd(2, "0")}`);
    return cents === 0 ? 0 : cents;
  },
  encode: (cents) => cents / 100,
});

/** A list in code, comma-separated text on the wire. */
export const CommaList = z.codec(z.string(), z.array(z.string()), {
  decode: (joined) =>
    joined
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  encode: (parts) => parts.join(","),
});

/** A value in code, JSON text on the wire. */
export const JsonText = <Value extends z.ZodType>(value: Value) =>
  z.codec(z.string(), value, {
    decode: (text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.issues.push({ code: "custom", input: text, message: "This is not valid JSON" });
        return z.NEVER;
      }
    },
    encode: (parsed) => JSON.stringify(parsed),
  });

/** A boolean in code, "yes" or "no" on the wire. */
export const YesNo = z.codec(z.enum(["yes", "no"]), z.boolean(), {
  decode: (word) => word === "yes",
  encode: (value) => (value ? "yes" : "no"),
});

/** A boolean in code, "true" or "false" on the wire. */
export const TrueText = z.codec(z.enum(["true", "false"]), z.boolean(), {
  decode: (word) => word === "true",
  encode: (value) => (value ? "true" : "false"),
});
