import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Call, json, type SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";
import { type Approval, type Approvals, createApprovals } from "./approvals.ts";
import { answerClientApi, type ClientApi } from "./client-api.ts";

export type BraintreePages = {
  /** The name of a call below `/braintree` in fault rules and the request log. */
  operation(call: Call): string;
  serve(call: Call, fault: Fault | null): SimulatedAnswer;
};

const BASE = "/braintree";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const FILES: Readonly<Record<string, { readonly op: string; readonly file: string; readonly type: string }>> = {
  "/js/client.min.js": { op: "script", file: "client.js", type: "text/javascript" },
  "/js/paypal-checkout.min.js": { op: "script", file: "paypal-checkout.js", type: "text/javascript" },
  "/js/paypal-sdk.js": { op: "paypal_script", file: "paypal-sdk.js", type: "text/javascript" },
  "/approve.js": { op: "page", file: "approve.js", type: "text/javascript" },
  "/approve.css": { op: "page", file: "approve.css", type: "text/css" },
};

const Choice = z.strictObject({ token: z.string(), choice: z.enum(["approved", "fault"]) });

/** The browser's side of PayPal through Braintree: our scripts under the SDK's names, their calls, and PayPal's window. */
export function createBraintreePages(api: Omit<ClientApi, "approvals">): BraintreePages {
  const approvals = createApprovals();
  return {
    operation,
    serve(call, fault) {
      if (call.method === "OPTIONS") return open({ status: 204, headers: {}, body: "" });
      const rest = clientApiRest(call.path, api.settings.merchantId);
      if (rest !== null) return open(answerClientApi(call, rest, fault, { ...api, approvals }));
      const route = `${call.method} ${call.path.slice(BASE.length)}`;
      if (route === "GET /approve") return showWindow(approvals.find(call.query.get("token") ?? ""));
      if (route === "POST /approve") return choose(call, approvals);
      return call.method === "GET" ? serveFile(call.path.slice(BASE.length)) : notFound();
    },
  };
}

function operation({ method, path }: Call): string {
  if (method === "OPTIONS") return "preflight";
  if (path.endsWith("/client_api/v1/configuration")) return "configuration";
  if (path.endsWith("/paypal_hermes/create_payment_resource")) return "create_payment";
  if (path.endsWith("/payment_methods/paypal_accounts")) return "token";
  return FILES[path.slice(BASE.length)]?.op ?? (path === `${BASE}/approve` ? "page" : "other");
}

function clientApiRest(path: string, merchantId: string): string | null {
  const prefix = `${BASE}/merchants/${merchantId}/client_api/v1/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}

/** The page is another origin; nothing here depends on its cookies. */
function open(answer: SimulatedAnswer): SimulatedAnswer {
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "600",
      "cache-control": "no-store",
    },
  };
}

function serveFile(path: string): SimulatedAnswer {
  const found = FILES[path];
  return found === undefined ? notFound() : file(200, found.type, read(found.file));
}

/** PayPal's window for a waiting payment; for any other a page that says so. */
function showWindow(approval: Approval | undefined): SimulatedAnswer {
  if (approval?.state !== "open") return page(404, read("approve-gone.html"));
  const values: Record<string, string> = {
    payee: approval.payee,
    amount: approval.amount,
    currency: approval.currency,
  };
  return page(
    200,
    read("approve.html").replace(/\{(\w+)\}/g, (_, name: string) => escapeHtml(values[name] ?? "")),
  );
}

function choose(call: Call, approvals: Approvals): SimulatedAnswer {
  const wanted = Choice.safeParse(parse(call.body));
  const approval = wanted.success ? approvals.find(wanted.data.token) : undefined;
  if (!wanted.success || approval?.state !== "open") return json(422, { message: "This payment waits for no answer." });
  approval.state = wanted.data.choice;
  return json(200, { orderID: approval.token, paymentID: approval.paymentId, payerID: approval.payerId });
}

function page(status: number, html: string): SimulatedAnswer {
  const answer = file(status, "text/html", html);
  return { ...answer, headers: { ...answer.headers, "content-security-policy": CONTENT_SECURITY_POLICY } };
}

function file(status: number, type: string, body: string): SimulatedAnswer {
  return {
    status,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // The site that embeds the scripts is another origin.
      "cross-origin-resource-policy": "cross-origin",
    },
    body,
  };
}

function read(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), "utf8");
}

function notFound(): SimulatedAnswer {
  return json(404, { message: "Nothing is served here." });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
