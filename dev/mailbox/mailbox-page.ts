import { direction, formatMoment, language } from "#shared/language.ts";
import { html, type Markup } from "#shared/mail/html.ts";

/** One kept email, as `GET /dev/mail.json` answers it. */
export type MailboxEmail = {
  readonly id: number;
  readonly messageId: string;
  readonly sentAt: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { filename: string; contentType: string; bytes: number; url: string }[];
};

export const mailboxStyle = `
:root{color-scheme:light dark;--bg:#F6F7F2;--surface:#fff;--ink:#16214F;--muted:#4A5470;--line:#DFE3D9;--link:#0A6B73}
@media (prefers-color-scheme:dark){:root{--bg:#0F1736;--surface:#172250;--ink:#F2F4FB;--muted:#BCC7E8;--line:#2C3B78;--link:#7FD4D0}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 "Figtree Variable",system-ui,"Segoe UI",Roboto,sans-serif}
header{background:#16214F;color:#fff;border-top:4px solid #C73A44;border-bottom:4px solid #0A6B73}
header div,main{max-width:60rem;margin:0 auto;padding:1rem 1.125rem}
h1{margin:0;font-size:1.375rem}
header p{margin:.25rem 0 0;color:#BCC7E8}
a{color:var(--link)}header a{color:#fff}
ul{list-style:none;margin:1rem 0;padding:0;display:grid;gap:.75rem}
details{background:var(--surface);border:1px solid var(--line);border-radius:10px}
summary{cursor:pointer;padding:.875rem 1.125rem;display:grid;gap:.125rem;grid-template-columns:minmax(0,1fr) auto}
summary:focus-visible,a:focus-visible{outline:3px solid #F7B73C;outline-offset:2px}
summary strong{overflow-wrap:anywhere}
summary span{color:var(--muted);font-size:.9375rem;overflow-wrap:anywhere}
summary time{color:var(--muted);font-size:.9375rem;white-space:nowrap}
.email{padding:0 1.125rem 1.125rem}
iframe{display:block;width:100%;height:38rem;border:1px solid var(--line);border-radius:6px;background:var(--bg)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:1rem;font:.875rem/1.5 ui-monospace,monospace}
@media (max-width:30rem){summary{grid-template-columns:minmax(0,1fr)}}
`;

const clock = { dateStyle: "medium", timeStyle: "medium", timeZone: "Australia/Sydney" } as const;

/** The mailbox, newest email first, for an operator without an SMTP server. */
export function mailboxPage(emails: readonly MailboxEmail[], to: string | undefined): string {
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Mailbox</title>
<link rel="stylesheet" href="/dev/mail.css">
</head>
<body>
<header><div><h1>Mailbox</h1><p>${
    to === undefined
      ? "Emails of this site stay here, because no mail server is set."
      : html`Emails to ${to}. <a href="/dev/mail">Show all</a>`
  }</p></div></header>
<main>
${emails.length === 0 ? html`<p>No emails yet. Give a donation, then reload this page.</p>` : html`<ul>${emails.map(emailItem)}</ul>`}
</main>
</body>
</html>
`.markup;
}

function emailItem({ id, subject, to, from, sentAt, text, attachments }: MailboxEmail): Markup {
  return html`<li><details>
<summary><strong>${subject}</strong><time datetime="${sentAt}">${formatMoment(new Date(sentAt), clock)}</time><span>To ${to}</span></summary>
<div class="email">
<p>From ${from}</p>
${attachments.map(({ filename, url, bytes }) => html`<p><a href="${url}">${filename}</a> (${Math.ceil(bytes / 1024)} kB)</p>`)}
<iframe src="/dev/mail/${id}.html" title="${subject}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<details><summary>Plain text</summary><pre>${text}</pre></details>
</div>
</details></li>
`;
}
