import { expect, test } from "vitest";
import { explainRefusal, NEVER_SENT } from "./explain-refusal.ts";

test.each([
  ["PayWay's refund is declined (54)", "The card has expired, so the money has to go back another way. Code: 54."],
  ["PayWay's refund is declined (05)", "The bank declined it and did not say why. Code: 05."],
  ["PayWay's refund is voided (no code)", "PayWay declined it. Code: voided."],
  [
    "PayWay refused principalAmount (HTTP 422): More than what is left to refund",
    "PayWay does not accept the amount: less of the payment may be left there. Code: principalAmount (HTTP 422): More than what is left to refund.",
  ],
  [
    "PayWay refused orderNumber (HTTP 422): it does not say why.",
    "PayWay does not accept this refund. Code: orderNumber (HTTP 422): it does not say why.",
  ],
  [
    "PayWay refused the call (HTTP 401): check PAYWAY_URL, PAYWAY_SECRET_KEY and PAYWAY_MERCHANT_ID",
    "PayWay does not accept the settings of the site: tell whoever runs the server. Code: HTTP 401.",
  ],
  [
    "PayWay's books cannot be read now: it answered HTTP 403.",
    "PayWay does not accept the settings of the site: tell whoever runs the server. Code: HTTP 403.",
  ],
  [
    "PayWay's books cannot be read now: PayWay cannot be reached (ECONNREFUSED).",
    "The site could not reach PayWay, or could not read its answer. Code: ECONNREFUSED.",
  ],
  [
    "the payment has not settled yet, so only a full refund is possible",
    "The payment is not complete at PayWay yet, and until then only all of it can go back.",
  ],
  [
    "the payment is voided: there is nothing to refund",
    "PayWay did not keep the charge: nothing is left of it. Code: voided.",
  ],
  [
    `${NEVER_SENT}PayWay is limiting our calls (HTTP 429)`,
    "It could not be sent for days. PayWay takes no more calls from the site at the moment. Code: HTTP 429.",
  ],
  ["it was made after it had been given up", "It was made after it had been given up."],
])("RFD-5: ‘%s’ is in plain words with the code: %s", (reason, told) => {
  expect(explainRefusal(reason, "payway")).toBe(told);
});

test("RFD-5: what Braintree says is told as PayPal's, with Braintree's code", () => {
  expect(explainRefusal("Braintree's refund is processor_declined", "braintree")).toBe(
    "PayPal declined it. Code: processor_declined.",
  );
  expect(explainRefusal("Braintree refused amount (91521)", "braintree")).toBe(
    "PayPal does not accept this refund. Code: amount (91521).",
  );
});
