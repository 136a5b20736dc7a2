import { type RefObject, useState } from "react";
import type { useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { showAlert } from "#shared/ui/feedback.ts";
import { NOT_SENT } from "../../application.ts";
import type { Fields } from "./use-fields.ts";
import type { Kept } from "./use-kept.ts";
import type { Pictures } from "./use-pictures.ts";
import type { Problems } from "./use-problems.ts";

/** All that has to do with sending. */
export type Parts = {
  readonly fields: Fields;
  readonly pictures: Pictures;
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly wrong: Problems;
  readonly kept: Kept;
  readonly trap: RefObject<HTMLInputElement | null>;
};

/** Comes before the last step is filled in: the form is there sooner without it. */
export const loadSending = () => import("./submit-application.ts");

/** Submits an application; `says` is how far it has come. */
export function useSending(parts: Parts) {
  const [says, say] = useState("");
  return {
    says,
    async submit(): Promise<void> {
      const loaded = await loadSending().catch(() => undefined);
      if (loaded !== undefined) return loaded.submitApplication({ ...parts, say });
      parts.wrong.note([], UNLOADED);
      await showAlert(NOT_SENT);
      parts.wrong.focus();
    },
  };
}

const UNLOADED = "Nothing could be sent. Please check your connection and press Try again.";
