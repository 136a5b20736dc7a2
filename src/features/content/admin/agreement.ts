import { createHash } from "node:crypto";

/** Identifies the text of which a person was shown what would be left out. */
export const agreementTo = (html: string) => createHash("sha256").update(html).digest("base64url");
