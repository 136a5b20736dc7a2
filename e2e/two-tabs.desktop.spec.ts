import { expect, listEmails, test } from "./journey.ts";
import { logIn, logInMember, PASSWORD } from "./member.ts";

test("SEC-7: text typed in one tab survives a log-in in another, and is sent at the first try", {
  tag: "@long",
}, async ({ page, context, amount }) => {
  const [email, subject] = [`tabs-${amount}@example.com`, `Two tabs, ${amount}`];
  const sent: number[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === "/api/contact") sent.push(response.status());
  });
  await page.goto("/contact");
  const field = (name: string) => page.getByRole("main").getByRole("textbox", { name });
  await field("Name").fill("Sana Malik");
  await field("Email").fill(email);
  await field("Subject").fill(subject);
  await field("Message").fill("Can we visit the school?");
  await logInMember(context, email);
  await page.getByRole("button", { name: "Send a message" }).click();
  await expect(page.getByRole("status").filter({ hasText: "We have your message" })).toBeVisible();
  expect(sent).toEqual([200]);
  await expect
    .poll(async () => (await listEmails(page, email)).filter(({ subject: about }) => /message/i.test(about)))
    .toHaveLength(1);
});

test("SEC-7: an outdated token is replaced silently, and nothing typed is lost", { tag: "@long" }, async ({
  page,
  context,
  baseURL,
  amount,
  expected,
}) => {
  expected.push(/403/);
  await page.goto("/contact");
  const field = (name: string) => page.getByRole("main").getByRole("textbox", { name });
  await field("Name").fill("Sana Malik");
  await field("Email").fill(`stale-${amount}@example.com`);
  await field("Subject").fill(`A stale token, ${amount}`);
  await field("Message").fill("Can we visit the school?");
  // A guest's token, as a late answer during a log-in may leave it.
  const findToken = async () => (await context.cookies(baseURL)).find(({ name }) => name === "XSRF-TOKEN");
  await expect.poll(findToken).toBeTruthy();
  const guests = await findToken();
  await logInMember(context, `stale-${amount}@example.com`);
  await context.addCookies([guests!]);
  await page.getByRole("button", { name: "Send a message" }).click();
  await expect(page.getByRole("status").filter({ hasText: "We have your message" })).toBeVisible();
});

test("SEC-7: when another tab ends the session, what was typed stays and can be sent after the log-in", {
  tag: "@long",
}, async ({ page, context, amount, expected }) => {
  expected.push(/401/);
  const email = `ended-${amount}@example.com`;
  await logInMember(context, email);
  await page.goto("/change-password");
  const main = page.getByRole("main");
  await main.getByLabel("Old Password", { exact: true }).fill(PASSWORD);
  await main.getByLabel("New Password", { exact: true }).fill("a new long password");
  await main.getByLabel("Confirm Password", { exact: true }).fill("a new long password");
  const token = (await context.cookies()).find(({ name }) => name === "XSRF-TOKEN")!.value;
  const answer = await context.request.post("/api/logout", { data: {}, headers: { "x-xsrf-token": token } });
  expect(answer.status()).toBe(200);
  const submit = main.getByRole("button", { name: "Change Password" });
  await submit.click();
  await expect(main.getByText("You’ve been logged out.")).toBeVisible();
  await expect(main.getByLabel("New Password", { exact: true })).toHaveValue("a new long password");
  await logIn(context, email);
  await submit.click();
  await expect(page.getByText("Password Changed!")).toBeVisible();
  await logIn(context, email, "a new long password");
});

test("DON-2, DON-20: a log-out in another tab leaves the donation form, and nothing of the member stays", {
  tag: "@long",
}, async ({ page, context, donor, amount }) => {
  const email = `left-${amount}@example.com`;
  await logInMember(context, email);
  await page.goto("/donation");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
  await donor.next();
  await donor.onStep(2);
  const other = await context.newPage();
  await other.goto("/profile");
  await other.getByRole("button", { name: "Sana" }).click();
  await other.getByRole("button", { name: "Log Out" }).click();
  await page.waitForURL("**/login?return=%2Fdonation");
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain("donation-draft");
});
