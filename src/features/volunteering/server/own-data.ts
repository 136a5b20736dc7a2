import type { Connection } from "#shared/database/connect.ts";
import { findPrivateFile } from "#shared/files/private-files.ts";
import { isOf, type Person } from "#shared/retention/retention.ts";
import { findCheck } from "./checks.ts";
import { type ApplicationRow, applicationOf } from "./store.ts";

/**
 * A person's applications, for the file that they can download (PRO-12). Emergency contact and pictures come along only
 * where the application was sent while they were logged in: a confirmed email shows no more than the page behind its link.
 */
export async function listApplicationsOf(connection: Connection, person: Person) {
  const rows = await connection
    .selectFrom("volunteer_applications")
    .selectAll()
    .where(isOf(person))
    .where("erased_at", "is", null)
    .orderBy("created_at")
    .execute();
  return Promise.all(
    rows.map(async (row) => {
      const { id, reference, stage, roles, created_at: sentAt, decided_at: decidedAt } = row;
      const check = await findCheck(connection, id);
      return {
        reference,
        sentAt,
        stage,
        decidedAt,
        roles,
        ...(await contentOf(connection, row)),
        check: checkOf(check),
      };
    }),
  );
}

async function contentOf(connection: Connection, row: ApplicationRow): Promise<object> {
  const application = applicationOf(row);
  if (row.user_id !== null) {
    return {
      ...application,
      photo: await dataUrlOf(connection, row.photo_file_id),
      signature: await dataUrlOf(connection, row.signature_file_id),
    };
  }
  return Object.fromEntries(Object.entries(application).filter(([name]) => !name.startsWith("emergency")));
}

async function dataUrlOf(connection: Connection, fileId: string | null): Promise<string | null> {
  const file = fileId === null ? undefined : await findPrivateFile(connection, fileId);
  return file === undefined ? null : `data:${file.media_type};base64,${file.bytes.toString("base64")}`;
}

/** Without the name of the member of staff who verified it. */
function checkOf(check: Awaited<ReturnType<typeof findCheck>>): object | null {
  if (check === undefined) return null;
  const { state, number, kind, expiresOn, verifiedAt } = check;
  return { state, number, kind, expiresOn, verifiedAt };
}
