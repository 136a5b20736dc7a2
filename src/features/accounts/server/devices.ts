import { knownDevices } from "#shared/sessions/known-devices.ts";
import type { Visit } from "./services.ts";

type Site = { readonly secretKey: string; readonly publicUrl: string };

const devices = knownDevices({ cookie: "device", purpose: "known device", sameSite: "lax" });

/**
 * The name of this browser if it has logged in with this email before, else null. Its owner only gets a separate limit
 * of tries, not shared with strangers.
 */
export const findDevice = (site: Site, { request }: Pick<Visit, "request">, email: string): string | null =>
  devices.find(site, request, email);

/** Sets a signed cookie by which `findDevice` knows this browser again. */
export const rememberDevice = (site: Site, { request, response }: Visit, email: string): void =>
  devices.remember(site, request, response, email);

/** Deletes that cookie. */
export const forgetDevice = (site: Site, { response }: Pick<Visit, "response">): void => devices.forget(site, response);
