import { direction, language } from "#shared/language.ts";
import type { Sender } from "#shared/mail/compose-email.ts";
import type { DeclaredEmail } from "#shared/mail/declared-email.ts";
import { LOGO_ID } from "#shared/mail/email-layout.ts";
import { html } from "#shared/mail/html.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import type { FileMade } from "./actions.ts";

const style = `
:root{color-scheme:light dark}
body{margin:0 auto;max-width:60rem;padding:1rem 1.125rem;font:16px/1.5 system-ui,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.5rem}
h2{margin-block-start:2.5rem;font-size:1.25rem}
iframe{display:block;box-sizing:border-box;width:100%;height:60rem;border:1px solid;border-radius:6px}
pre{box-sizing:border-box;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;border-radius:6px;padding:1rem;font:.875rem/1.5 ui-monospace,monospace}
`;

/** The email's own style is inline; nothing else of it runs, loads or leads anywhere. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** A page with every example of an email, as HTML and as text. */
export function drawPreviews(email: Pick<DeclaredEmail, "title" | "examples">, sender: Sender): FileMade["file"] {
  const examples = Object.entries(email.examples).map(([about, compose]) => ({ about, message: compose(sender) }));
  const page = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview: ${email.title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<h1>Preview: ${email.title}</h1>
<p>People, amounts, links and dates are invented. Nothing is saved or sent.</p>
${examples.map(
  ({ about, message }) => html`<h2>${about}</h2>
<p>Subject: <strong dir="auto">${message.subject}</strong></p>
<iframe title="${about}, as HTML" sandbox srcdoc="${withLogo(message)}"></iframe>
<h3>As text</h3>
<pre dir="auto">${message.text}</pre>
`,
)}</main>
</body>
</html>
`;
  return { bytes: page.markup, headers };
}

/** The logo is sent with each email; here it is in the page. */
function withLogo({ html: text, attachments }: EmailMessage): string {
  const logo = attachments.find(({ contentId }) => contentId === LOGO_ID);
  if (logo === undefined) return text;
  return text.replace(`cid:${LOGO_ID}`, `data:${logo.contentType};base64,${logo.content.toString("base64")}`);
}
