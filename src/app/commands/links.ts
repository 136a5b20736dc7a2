import { pino } from "pino";
import { revokeLinks } from "#shared/links/document-links.ts";
import { sendLinkLetter } from "#shared/links/send-link.ts";
import { findDocument, findRecipient } from "../linked-documents.ts";
import type { Services } from "../services.ts";
import { runCommand, say } from "./command.ts";

const DONE = 0;
const REFUSED = 1;

const usage = `Ends the links to a document, or emails a new one to where the document was sent.

  npm run links -- revoke R-000123    every link to it that exists now opens nothing any more
  npm run links -- send R-000123      a new link goes to the email address that we have for it

Instead of a receipt's number, the reference of a donation (D-7KQ2-M9XW-4TBC), of a ticket order (T-…) or of an application to
volunteer (V-…).`;

async function run({ database, jobs, now }: Services, act: "revoke" | "send", reference: string): Promise<number> {
  const document = await findDocument(database, reference);
  if (document === undefined) {
    say(`There is nothing with the number or reference ${reference}. Nothing was changed.`);
    return REFUSED;
  }
  if (act === "revoke") {
    // Standard error, as the site's own log.
    const log = pino({ base: null }, pino.destination({ dest: 2, sync: true }));
    await revokeLinks({ database, now, log }, document, "staff");
    say(`No link to ${reference} that exists now opens it any more. Its page offers to email a new one.`);
    return DONE;
  }
  if ((await findRecipient(database, document)) === null) {
    say(`${reference} was not sent to anybody, or its address is deleted. Nothing was sent.`);
    return REFUSED;
  }
  await sendLinkLetter(database, jobs, document, now());
  say(`A new link to ${reference} goes to its email address as soon as the site runs.`);
  return DONE;
}

const [act, reference, ...more] = process.argv.slice(2);
const isReference = /^(R-\d{6,15}|[DTV](-[0-9A-Z]{4}){3})$/.test(reference ?? "");
if ((act !== "revoke" && act !== "send") || !isReference || more.length > 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(REFUSED);
}
await runCommand((services) => run(services, act, reference!), REFUSED);
