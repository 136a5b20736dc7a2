import type { APIRequestContext, BrowserContext } from "@playwright/test";
import { z } from "zod";
import { registerCall } from "#features/accounts/contract.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { expect, type SiteName, siteUrl } from "./journey.ts";

export const PASSWORD = "a long old password";

/** Opens an account and logs this browser in, with the pages' own calls and a real captcha. */
export async function logInMember(
  context: BrowserContext,
  email: string,
  { lastName = "Malik", password = PASSWORD, site = "usual" as SiteName, url = siteUrl(site) } = {},
): Promise<void> {
  const challenge = await context.request.get(`${url}/api/captcha?action=register`);
  const person = {
    firstName: "Sana",
    lastName,
    email,
    country: "Australia",
    state: "Victoria",
    city: "",
    mobile: "61412345678",
    postcode: "3000",
    preferredContact: "SMS",
    password,
    captcha: await solveCaptcha(await challenge.json()),
  } as const;
  await postAs(context, "/api/user/create", z.encode(registerCall.body, person), url);
}

/** Logs another browser in to the account. */
export async function logIn(context: BrowserContext, email: string, password = PASSWORD): Promise<void> {
  await postAs(context, "/api/login", { email, password });
}

async function postAs(context: BrowserContext, path: string, data: object, url = siteUrl()): Promise<void> {
  const request: APIRequestContext = context.request;
  await request.get(`${url}/api/checkout`);
  const token = (await context.cookies(url)).find(({ name }) => name === "XSRF-TOKEN")?.value ?? "";
  const headers = { "x-xsrf-token": decodeURIComponent(token) };
  const answer = await request.post(url + path, { data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
}
