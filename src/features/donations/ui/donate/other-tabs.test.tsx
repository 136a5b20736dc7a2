// @vitest-environment jsdom
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { setCookie } from "#test/cookies.ts";
import { heading, open } from "#test/pages/donation-page.tsx";
import { DRAFT_KEY } from "../../draft.ts";
import { keepDraft } from "./draft-storage.ts";

const user = { user_id: 7, first_name: "Sana", last_name: "Malik", email: "sana@example.com", postal_code: "2144" };
const personal = { firstName: "Sana", lastName: "Malik", email: "sana@example.com", postcode: "2144" };
const zakat = { categoryId: 1, category: "Zakat", subcategory: "", quantity: 1, unitCents: 10_000, onBehalfOf: [] };

afterEach(() => setCookie("user=; max-age=0"));

/** Opens step 3 with a line in the cart. */
async function openStep3(userId: number) {
  keepDraft({
    userId,
    personal: { ...personal, isAnonymous: false },
    lines: [zakat],
    coversAdminFee: true,
    method: "cc",
    payment: undefined,
  });
  history.replaceState({ wizard: { step: 3, isChanging: false, depth: 0 } }, "");
  open();
  await screen.findByRole("heading", { name: "Choose how to pay" });
}

/** Deletes the draft as another tab does, and fires the event that the browser sends to this one. */
function dropDraftElsewhere() {
  localStorage.removeItem(DRAFT_KEY);
  act(() => void dispatchEvent(new StorageEvent("storage", { key: DRAFT_KEY, newValue: null })));
}

test("DON-20: after a log-out in another tab, nothing of the member is kept again", async () => {
  setCookie("user=7");
  sessionStorage.setItem("user", JSON.stringify(user));
  await openStep3(7);
  setCookie("user=; max-age=0");
  dropDraftElsewhere();
  expect(localStorage.getItem(DRAFT_KEY)).toBeNull();
  // Whoever is here after the reload is not taken for the member again.
  expect(sessionStorage.getItem("user")).toBeNull();
});

test("DON-20: a guest's donation that was finished in another tab begins again here", async () => {
  await openStep3(0);
  dropDraftElsewhere();
  await heading(/step 1 of 4/);
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("");
});
