import { randomUUID } from "node:crypto";
import { expect, test } from "./journey.ts";

test("SEC-4, LOG-5: after ten failed attempts by others, the log-in page solves the captcha automatically and continues", async ({
  page,
  request,
  expected,
}) => {
  expected.push(/401/, /403/);
  const email = `guessed-${randomUUID()}@example.com`;
  await page.goto("/login");
  await request.get("/api/checkout");
  const { cookies } = await request.storageState();
  const token = decodeURIComponent(cookies.find(({ name }) => name === "XSRF-TOKEN")?.value ?? "");
  const headers = { "x-xsrf-token": token };
  for (let nth = 0; nth < 10; nth += 1) {
    const tried = await request.post("/api/login", { data: { email, password: `guess number ${nth}` }, headers });
    expect(tried.status()).toBe(401);
  }
  const challenges: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/captcha")) challenges.push(new URL(sent.url()).search);
  });
  const form = page.getByRole("form", { name: "Log in" });
  await form.getByLabel("Email", { exact: true }).fill(email);
  await form.getByLabel("Password", { exact: true }).fill("a password of mine");
  await form.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Email or password is incorrect.");
  expect(challenges).toEqual(["?action=login&effort=4"]);
});
