import { useState } from "react";
import { showAlert } from "#shared/ui/feedback.ts";
import { NOT_SENT } from "../../application.ts";
import type { Parts } from "./submit-application.ts";

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
