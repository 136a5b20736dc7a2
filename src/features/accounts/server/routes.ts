import type { FastifyInstance } from "fastify";
import { accepted } from "#shared/contract/envelope.ts";
import { mount } from "#shared/http/mount.ts";
import { loginThen, paths } from "#shared/paths.ts";
import {
  addPasskeyCall,
  beginPasskeyCall,
  beginPasskeyLoginCall,
  changePasswordCall,
  checkMobileCall,
  closeAccountCall,
  endOtherSessionsCall,
  findUserCall,
  listPasskeysCall,
  listSessionsCall,
  logInCall,
  logInWithPasskeyCall,
  logOutCall,
  registerCall,
  removePasskeyCall,
  renamePasskeyCall,
  resetPasswordCall,
  sendResetCodeCall,
  sendVerificationCall,
  updateUserCall,
  verifyEmailCall,
} from "../contract.ts";
import { isLikelyMobile } from "./check-details.ts";
import { closeAccount } from "./close-account.ts";
import { logIn, logOut } from "./log-in.ts";
import { beginPasskeyLogin, logInWithPasskey } from "./log-in-with-passkey.ts";
import { requireOwn } from "./own-account.ts";
import { changePassword, endOtherSessions, exportData, listSessions, updateUser } from "./own-details.ts";
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from "./passkeys.ts";
import { register, sendVerification, verifyEmail } from "./register.ts";
import { resetPassword, sendResetCode } from "./reset-password.ts";
import type { AccountServices } from "./services.ts";

export function accountRoutes(app: FastifyInstance, services: AccountServices) {
  mountEntrance(app, services);
  mountOwnAccount(app, services);
  mountPasskeys(app, services);
  const schema = { summary: "Everything we hold on the user, as a JSON file" } as object;
  app.get("/my-data", { schema }, async (request, response) => {
    // The profile's link. Without a session a browser would only say that the download failed.
    const isLink = request.headers["sec-fetch-mode"] === "navigate";
    if (isLink && (await services.sessions.find(request)) === null) {
      return response.header("cache-control", "private, no-store").redirect(loginThen(paths.profile), 302);
    }
    const data = await exportData(services, { request });
    return response
      .type("application/json; charset=utf-8")
      .header("cache-control", "private, no-store")
      .header("content-disposition", 'attachment; filename="my-data.json"')
      .send(JSON.stringify(data, null, 2));
  });
}

/** Calls that need no session. */
function mountEntrance(app: FastifyInstance, services: AccountServices) {
  mount(app, registerCall, ({ body }, request, response) => register(services, body, { request, response }));
  mount(app, logInCall, ({ body }, request, response) => logIn(services, body, { request, response }));
  mount(app, logOutCall, (_, request, response) => logOut(services, { request, response }));
  mount(app, sendResetCodeCall, ({ body }, request) => sendResetCode(services, body, { request }));
  mount(app, resetPasswordCall, ({ body }, request, response) => resetPassword(services, body, { request, response }));
  mount(app, checkMobileCall, async ({ body }) =>
    accepted({ isLikely: await isLikelyMobile(services.database, body) }),
  );
}

/** Calls that answer 401 without a session. */
function mountOwnAccount(app: FastifyInstance, services: AccountServices) {
  mount(app, findUserCall, async ({ body }, request) => {
    const { user } = await requireOwn(services, { request }, body.id);
    return accepted(user);
  });
  mount(app, updateUserCall, ({ body }, request, response) => updateUser(services, body, { request, response }));
  mount(app, changePasswordCall, ({ body }, request, response) =>
    changePassword(services, body, { request, response }),
  );
  mount(app, listSessionsCall, (_, request) => listSessions(services, { request }));
  mount(app, endOtherSessionsCall, (_, request) => endOtherSessions(services, { request }));
  mount(app, sendVerificationCall, (_, request) => sendVerification(services, { request }));
  mount(app, verifyEmailCall, ({ body }, request) => verifyEmail(services, body, { request }));
  mount(app, closeAccountCall, ({ body }, request, response) => closeAccount(services, body, { request, response }));
}

function mountPasskeys(app: FastifyInstance, services: AccountServices) {
  mount(app, listPasskeysCall, (_, request) => listPasskeys(services, { request }));
  mount(app, beginPasskeyCall, ({ body }, request) => beginPasskey(services, body, { request }));
  mount(app, addPasskeyCall, ({ body }, request) => addPasskey(services, body, { request }));
  mount(app, renamePasskeyCall, ({ body }, request) => renamePasskey(services, body, { request }));
  mount(app, removePasskeyCall, ({ body }, request) => removePasskey(services, body, { request }));
  mount(app, beginPasskeyLoginCall, (_, request) => beginPasskeyLogin(services, { request }));
  mount(app, logInWithPasskeyCall, ({ body }, request, response) =>
    logInWithPasskey(services, body, { request, response }),
  );
}
