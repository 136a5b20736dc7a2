import { vi } from "vitest";
import { describedCheckout } from "#test/pages/providers.ts";

/** The page's requests and the server's answers, written by hand as they are on the wire. */
type Seen = { url: string; headers: Record<string, string>; body: Record<string, unknown> };
export const requests: Seen[] = [];

type Reply = { status: number; text: string };
type Answering = (request: Seen) => Promise<Reply>;
let special: [string, Answering][] = [];

const id = "0c9b4f3e-5f0a-4c55-9f0b-6a2d5f4f7a10";
const envelope = (status: number, data: unknown, more: object = {}): Reply => ({
  status,
  text: JSON.stringify({ code: String(status), status: status === 200 ? "true" : "false", message: "", data, ...more }),
});

const category = (categoryId: number, title: string, more: object) => ({
  id: categoryId,
  key: title.toLowerCase(),
  category_title: title,
  description: "",
  suggested_amounts: [25, 50, 100],
  subcategory_status: "false",
  category_subcategory: [],
  is_editable_quantity: "no",
  is_editable_amount: "yes",
  category_amount: null,
  asks_names: "no",
  admin_fee_applies: "yes",
  is_tax_deductible: "yes",
  ...more,
});
const goats = [{ id: 1, subcategory_title: "Goat", subcategory_amount: 190 }];
const categories = [
  category(1, "Zakat", { description: "On wealth held for a year.", suggested_amounts: [40, 80.5] }),
  category(2, "Fitrana", { is_editable_quantity: "yes", is_editable_amount: "no", category_amount: 15 }),
  category(3, "Qurban", {
    subcategory_status: "true",
    category_subcategory: goats,
    is_editable_quantity: "yes",
    is_editable_amount: "no",
    asks_names: "yes",
    is_tax_deductible: "no",
  }),
  category(4, "Dastarkhwan", { is_editable_quantity: "yes", category_amount: 5 }),
  category(5, "Homes", { is_editable_amount: "no", category_amount: 100 }),
];
const payment = { id, state: "succeeded", message: "Thank you, Sana", receiptUrl: "/receipts/1?key=x" };

const usual: [string, Answering][] = [
  ["/api/categories", async () => envelope(200, { category: categories })],
  ["/api/checkout", async () => envelope(200, describedCheckout)],
  ["/api/payway-payment", async () => envelope(200, payment, { message: "Thank you, Sana" })],
  ["/api/payments/", async () => envelope(200, payment)],
  ["/api/payment", async () => envelope(200, payment, { message: "Thank you, Sana" })],
  ["/api/payway-3ds", async () => envelope(200, payment, { message: "Thank you, Sana" })],
  ["/api/generateToken", async () => envelope(200, {}, { clientToken: "a client token" })],
];

/** A healthy server without any requests. */
export function serve(): void {
  special = [];
  requests.length = 0;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const body = init.body === undefined || init.body === null ? {} : JSON.parse(String(init.body));
    const seen = { url, headers: init.headers as Record<string, string>, body };
    requests.push(seen);
    const found = [...special, ...usual].find(([path]) => url === path || (path.endsWith("/") && url.startsWith(path)));
    if (found === undefined) throw new TypeError(`no answer for ${url}`);
    const { status, text } = await found[1](seen);
    return { status, text: async () => text };
  });
}

/** Changes the answers of this address, or of all below it if it ends in a slash. */
export function answerWith(path: string, answer: Answering): void {
  special = [[path, answer], ...special];
}

type Away = { readonly payway?: string; readonly paypal?: string };

/** The answer of `/checkout` while a provider is unavailable, with its sentence. */
export function awayCheckout({ payway, paypal }: Away): Answering {
  const part = (message: string | undefined) => (message === undefined ? {} : { isAvailable: false, message });
  return async () =>
    envelope(200, {
      ...describedCheckout,
      payway: { ...describedCheckout.payway, ...part(payway) },
      paypal: { ...describedCheckout.paypal, ...part(paypal) },
    });
}

/** The answer of `/categories` if the organisation cannot receive tax-deductible gifts. */
export const notDeductible: Answering = async () =>
  envelope(200, { category: categories.map((each) => ({ ...each, is_tax_deductible: "no" })) });

/** The answer of `/categories` if no cause takes the admin fee. */
export const withoutAdminFee: Answering = async () =>
  envelope(200, { category: categories.map((each) => ({ ...each, admin_fee_applies: "no" })) });

/** An unsuccessful answer to the payment call. */
export function paid(
  status: number,
  { state = "failed", ...more }: { error: string; message?: string; state?: string; money?: string },
): Answering {
  const isOfPayment = status === 402 || status === 202 || more.error === "just_given";
  const data = isOfPayment ? { ...payment, state, message: "", receiptUrl: undefined } : undefined;
  return async () => envelope(status, data, more);
}
