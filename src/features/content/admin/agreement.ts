import { createHash } from "node:crypto";

/** A hash of the text for which the person was shown what would be left out. */
export const agreementTo = (html: string) => createHash("sha256").update(html).digest("base64url");
