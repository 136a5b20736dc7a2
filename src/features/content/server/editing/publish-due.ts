import { recordAct } from "#admin/audit.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { doEach } from "#shared/jobs/do-each.ts";
import { lockItem } from "./items.ts";
import { findKind } from "./kinds.ts";
import { publishedChanges, publishVersion } from "./write.ts";

/** Publishes the versions whose time has come, each once, in any number of processes. */
export async function publishDue({ database, now }: CoreServices<"database" | "now">): Promise<void> {
  const due = await database
    .selectFrom("content_items")
    .select(["id", "kind"])
    .where("scheduled_at", "<=", now())
    .orderBy("scheduled_at")
    .execute();
  // What fails is tried again at the next run.
  await doEach(due, (item) => publishScheduled({ database, now }, item));
}

async function publishScheduled(
  { database, now }: CoreServices<"database" | "now">,
  { id, kind: name }: { id: number; kind: string },
): Promise<void> {
  const kind = findKind(name);
  if (kind === undefined) return;
  await database.transaction().execute(async (transaction) => {
    const item = await lockItem(transaction, kind, id);
    // Another process was faster, or somebody chose another time.
    if (item.scheduled === null || item.scheduled.at > now()) return;
    const { version, by } = item.scheduled;
    const moved = await publishVersion(transaction, kind, item, { version, by, at: now() });
    const { name: who } = await transaction
      .selectFrom("staff")
      .select("name")
      .where("id", "=", by)
      .executeTakeFirstOrThrow();
    const act = { verb: `${kind.name}.publish_at_time`, subject: kind.name, subjectId: String(id) };
    await recordAct(
      transaction,
      { staff: { id: by, name: who }, ipAddress: "" },
      { ...act, ...publishedChanges(item, version, moved) },
      now(),
    );
  });
}
