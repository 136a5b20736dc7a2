import { pino } from "pino";
import { commandLine, recordAct } from "#admin/audit.ts";
import type { DocumentKind, LinkedDocument } from "#shared/links/contract.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import { sendLinkEmail } from "#shared/links/send-link.ts";
import { findDocument, findRecipient } from "../linked-documents.ts";
import type { Services } from "../services.ts";
import { type Command, print, runCommand } from "./command.ts";

const DONE = 0;
const REFUSED = 1;

const usage = `Revokes the links to a document, or emails a new link to the address that the document was sent to.

  npm run links -- revoke R-000123    all existing links to it stop working
  npm run links -- send R-000123      emails a new link to the address that we have for it

Instead of a receipt number, you can give the reference of a donation (D-7KQ2-M9XW-4TBC), a ticket order (T-…) or an
application to volunteer (V-…).`;

const acts: Readonly<Record<Exclude<DocumentKind, "waiting_entry">, { verb: string; subject: string }>> = {
  receipt: { verb: "donation.end-links", subject: "donation" },
  ticket_order: { verb: "order.end-links", subject: "ticket_order" },
  application: { verb: "application.end-links", subject: "application" },
};

async function run(services: Services, act: "revoke" | "send", reference: string): Promise<number> {
  const { database, jobs, now } = services;
  const document = await findDocument(database, reference);
  if (document === undefined) {
    print(`Nothing has the number or reference ${reference}. Nothing was changed.`);
    return REFUSED;
  }
  if (act === "revoke") {
    await revoke(services, document);
    print(`All existing links to ${reference} have been revoked. Their page offers to email a new one.`);
    return DONE;
  }
  if ((await findRecipient(database, document)) === null) {
    print(`${reference} was not sent to anybody, or its address has been deleted. Nothing was sent.`);
    return REFUSED;
  }
  await sendLinkEmail(database, jobs, document, now());
  print(`A new link to ${reference} is queued. The running site emails it.`);
  return DONE;
}

async function revoke({ database, now }: Services, document: LinkedDocument): Promise<void> {
  // Logs to standard error, so that standard output has only the result.
  const log = pino({ base: null }, pino.destination({ dest: 2, sync: true }));
  await database.transaction().execute(async (transaction) => {
    await revokeLinks({ database: transaction, now, log }, document, "staff");
    if (document.kind === "waiting_entry") return;
    await recordAct(transaction, commandLine, { ...acts[document.kind], subjectId: document.id }, now());
  });
}

export const linksCommand: Command = ([act, reference, ...more]) => {
  const isReference = /^(R-\d{6,15}|[DTV](-[0-9A-Z]{4}){3})$/.test(reference ?? "");
  if ((act !== "revoke" && act !== "send") || !isReference || more.length > 0) throw new Error(usage);
  return (services) => run(services, act, reference!);
};

if (import.meta.main) await runCommand(linksCommand, REFUSED);
