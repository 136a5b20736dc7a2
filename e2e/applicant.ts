import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { sharp } from "#shared/images/sharp.ts";
import { APPLY, applicationFields, PHOTO, SIGNATURE } from "#test/application-form.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { expect, listEmails, siteUrl } from "./journey.ts";

/** Applies with the form's own call, and returns the link from the email that follows. */
export async function applyAndOpenEmail(page: Page, email: string): Promise<string> {
  const { request } = page;
  const challenge = await request.get(`${siteUrl()}/api/captcha?action=volunteer`);
  const token = (await page.context().cookies(siteUrl())).find(({ name }) => name === "XSRF-TOKEN")?.value ?? "";
  const plain = { width: 300, height: 400, channels: 3, background: "#2a6f77" } as const;
  const buffer = await sharp({ create: plain }).jpeg().toBuffer();
  const picture = { name: "picture.jpg", mimeType: "image/jpeg", buffer };
  const answer = await request.post(`${siteUrl()}${APPLY}`, {
    headers: { "x-xsrf-token": decodeURIComponent(token) },
    multipart: {
      ...applicationFields,
      email,
      key: randomUUID(),
      captcha: await solveCaptcha(await challenge.json()),
      [PHOTO]: picture,
      [SIGNATURE]: picture,
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await expect.poll(async () => (await listEmails(page, email)).length).toBe(1);
  const [received] = await listEmails(page, email);
  return /https?:\/\/\S+\/volunteer\/application\/\S+/.exec(received!.text)![0];
}
