import { readFileSync } from "node:fs";
import { Organisation } from "#shared/organisation.ts";

/** The default organisation, and one with a missing detail, to issue receipts for. */
export const chashma = Organisation.parse(
  JSON.parse(readFileSync(new URL("../organisation.json", import.meta.url), "utf8")),
);
export const withoutAbn: Organisation = { ...chashma, abn: "" };
