import { z } from "zod";
import { action, Refusal, type ToCheck } from "#admin/actions.ts";
import { recordAct } from "#admin/audit.ts";
import type { AdminPart } from "#admin/feature.ts";
import {
  FEES_SETTING,
  FeeChanges,
  type FeeName,
  type Fees,
  type FeeValues,
  feeNames,
  listFeeChanges,
  listFees,
  withFeeChanges,
} from "#payments/fees.ts";
import { Percent } from "#shared/config/environment.ts";
import { AppError } from "#shared/errors.ts";
import { lockSetting, readSetting, type SettingVersion, writeSetting } from "../../server/setting-versions.ts";
import type { SettingsServices } from "../../server/settings-services.ts";

export const FEES_PATH = "/admin/settings/fees";

export const feeLabels: Readonly<Record<FeeName, string>> = {
  admin: "Admin fee",
  card: "Merchant fee by card",
  paypal: "Merchant fee by PayPal",
};

/** What holds now: each fee in basis points. What SQL has written and is invalid counts as nothing. */
export type FeesVersion = {
  readonly number: number;
  readonly fees: FeeValues;
  readonly savedBy: string | null;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readFees: () => Promise<FeesVersion>;
    /** As the server's settings have them. */
    readonly deliveredFees: Fees;
  }
}

/** The fees that donors pay. */
export function feesPart({ database, config, now }: SettingsServices): AdminPart {
  const delivered = listFees(config.fees);
  return {
    reads: {
      deliveredFees: config.fees,
      readFees: async () => describeVersion(config.fees, await readSetting(database, FEES_SETTING)),
    },
    actions: [
      action({
        path: FEES_PATH,
        screen: FEES_PATH,
        right: "settings.change",
        needsProof: true,
        fields: z.looseObject({
          from: z.coerce.number().int().min(0).max(1_000_000_000).catch(0),
          checked: z.string().catch(""),
        }),
        run: ({ fields, actor, staff }) =>
          database.transaction().execute(async (transaction) => {
            const at = now();
            const version = describeVersion(config.fees, await lockSetting(transaction, FEES_SETTING, at));
            const typed = readTyped(fields);
            if (fields.from !== version.number) throw new Refusal(describeConflict(version));
            const changes = listFeeChanges(version.fees, typed);
            if (changes === null) return { to: FEES_PATH, toast: "Nothing was changed." };
            if (fields.checked !== checkedText(typed))
              return { check: "Check what donors will pay." } satisfies ToCheck;
            const value = listFeeChanges(delivered, typed)?.after ?? {};
            await writeSetting(transaction, FEES_SETTING, { value, by: staff.id, at, over: version.number });
            await recordAct(
              transaction,
              actor,
              { verb: "fees.change", subject: "fees", subjectId: "fees", ...changes },
              at,
            );
            return { to: FEES_PATH, toast: "Saved. Donors pay these fees from now on." };
          }),
      }),
    ],
  };
}

function describeVersion(delivered: Fees, { number, value, savedBy }: SettingVersion): FeesVersion {
  const changes = FeeChanges.safeParse(value);
  const fees = changes.success ? withFeeChanges(delivered, changes.data) : delivered;
  return { number, fees: listFees(fees), savedBy: savedBy?.name ?? null };
}

const describeConflict = ({ savedBy }: FeesVersion) =>
  `${savedBy ?? "Somebody outside the back office"} changed the fees while you were writing. Nothing of yours is saved yet. See what holds now at each field, and save again if yours are right.`;

/** Proves that the person has seen what these fees come to. */
export const checkedText = (fees: FeeValues) => feeNames.map((name) => fees[name]).join(" ");

/** What was typed for each fee, in basis points, or undefined. */
export function readFees(typed: Readonly<Record<string, unknown>>): Readonly<Record<FeeName, number | undefined>> {
  const read = (name: FeeName) => {
    const text = String(typed[name] ?? "")
      .replace(/%/g, "")
      .replace(",", ".")
      .trim();
    return Percent.safeParse(text).data;
  };
  return { admin: read("admin"), card: read("card"), paypal: read("paypal") };
}

function readTyped(typed: Readonly<Record<string, unknown>>): FeeValues {
  const read = readFees(typed);
  const wrong = feeNames.filter((name) => read[name] === undefined);
  if (wrong.length > 0) {
    const sentence = ["Enter a percentage such as 1.5, or 0 for none."];
    throw new AppError("invalid_input", { fields: Object.fromEntries(wrong.map((name) => [name, sentence])) });
  }
  return read as FeeValues;
}
