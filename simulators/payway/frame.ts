import { readFileSync } from "node:fs";
import type { SimulatedAnswer } from "../exchange.ts";
import type { Fault } from "../faults.ts";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'";

const FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  "/payway.js": { file: "payway.js", type: "text/javascript" },
  "/creditCard-iframe.htm": { file: "credit-card-frame.html", type: "text/html" },
  "/creditCard-iframe.js": { file: "credit-card-frame.js", type: "text/javascript" },
  "/creditCard-iframe.css": { file: "credit-card-frame.css", type: "text/css" },
  "/challenge-iframe.js": { file: "challenge-frame.js", type: "text/javascript" },
  "/challenge-iframe.css": { file: "challenge-frame.css", type: "text/css" },
};

/** The browser's side of the trusted frame: PayWay's paths with our files. Null for any other path. */
export function serveFrameFile(path: string, fault: Fault | null): SimulatedAnswer | null {
  const found = FILES[path];
  if (found === undefined) return null;
  const text = readFileSync(new URL(`browser/${found.file}`, import.meta.url), "utf8");
  const isBroken = fault?.do === "frame_ready_error";
  return frameAnswer(found.type, isBroken ? text.replace("<html ", "<html data-ready-error ") : text);
}

/** A file of a frame, with the headers that another site needs to embed it. */
export function frameAnswer(type: string, body: string): SimulatedAnswer {
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // The site that embeds the script and the frame is another origin.
      "cross-origin-resource-policy": "cross-origin",
      ...(type === "text/html" ? { "content-security-policy": CONTENT_SECURITY_POLICY } : {}),
    },
    body,
  };
}
