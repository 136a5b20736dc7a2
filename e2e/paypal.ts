import { join } from "node:path";
import type { Page, Route } from "@playwright/test";

const scripts = join(import.meta.dirname, "../node_modules/braintree-web/dist/browser");
const GATEWAY = "https://api.sandbox.braintreegateway.com";
const PAYPAL = "https://www.paypal.com";

/** What the real frame sends to braintree-web once loaded; without it a teardown waits a minute. */
const DISPATCH_FRAME = `<!doctype html><title>Dispatch frame</title><script>
  const event = name.replace("dispatch_", "") + ":frameService:DISPATCH_FRAME_READY";
  top.postMessage("/*framebus*/" + JSON.stringify({ event, origin: "*" }), "*");
</script>`;

/**
 * Runs the real braintree-web against the simulator at `simulatorUrl`. Its scripts come from the npm package; the simulator
 * answers its requests and PayPal's under their real host names, so the policy of production applies. Call it before the
 * page opens; it covers windows that the page opens too.
 */
export async function routePayPal(page: Page, simulatorUrl: string): Promise<void> {
  const context = page.context();
  const ask = (path: (url: URL) => string) => async (route: Route) => {
    const url = new URL(route.request().url());
    const response = await route.fetch({ url: `${simulatorUrl}/braintree${path(url)}` });
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  };
  await context.route("https://js.braintreegateway.com/web/*/js/*.min.js", (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    return route.fulfill({ path: join(scripts, name.replace(".min.js", ".js")) });
  });
  await context.route("https://assets.braintreegateway.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: DISPATCH_FRAME }),
  );
  await context.route(
    `${GATEWAY}/**`,
    ask(({ pathname, search }) => `${pathname}${search}`),
  );
  await context.route(
    `${PAYPAL}/**`,
    ask(({ pathname, search }) => `${pathname}${search}`),
  );
  await context.route(
    `${PAYPAL}/sdk/js?*`,
    ask(() => "/js/paypal-sdk.js"),
  );
  // The SDK's analytics.
  await context.route(`${PAYPAL}/xoplatform/**`, (route) =>
    route.fulfill({ status: 204, headers: { "access-control-allow-origin": "*" } }),
  );
}

/** Presses the PayPal button and, in the window that opens, the button of this name; or closes that window. */
export async function answerPayPal(
  page: Page,
  choice: "Approve" | "Cancel" | "Error" | "Approve, then fault" | "close",
): Promise<void> {
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "PayPal", exact: true }).click();
  const window = await opening;
  const button = window.getByRole("button", { name: choice === "close" ? "Approve" : choice, exact: true });
  await button.waitFor();
  if (choice === "close") await window.close();
  else await Promise.all([window.waitForEvent("close"), button.click()]);
}
