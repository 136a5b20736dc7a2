import type { AuditWords } from "#admin/acts.ts";
import type { Kind } from "../server/editing/kind.ts";

/** What the audit trail says for each act on an item of this kind: 'Claire Donnelly published news item A warm room'. */
export const contentAuditWords = ({ name }: Kind): AuditWords => ({
  [`${name}.create`]: "began",
  [`${name}.save`]: "changed",
  [`${name}.keep_aside`]: "saved a version beside a newer one of",
  [`${name}.publish`]: "published",
  [`${name}.publish_at_time`]: "published, at the time chosen before,",
  [`${name}.schedule`]: "chose a time to publish",
  [`${name}.unschedule`]: "cancelled the time to publish",
  [`${name}.take_down`]: "took down",
  [`${name}.restore`]: "restored an earlier version of",
});
