import type { AuditWords } from "#admin/acts.ts";
import type { AuditFields } from "#admin/audit-fields.ts";
import type { Kind } from "../server/editing/kind.ts";
import { describeTime } from "./item-words.ts";

/** The audit trail's words for each act on an item of this kind: 'Claire Donnelly published news item A warm room'. */
export const contentAuditWords = ({ name }: Kind): AuditWords => ({
  [`${name}.create`]: "began",
  [`${name}.save`]: "changed",
  [`${name}.keep_aside`]: "saved a version beside a newer one of",
  [`${name}.publish`]: "published",
  [`${name}.publish_at_time`]: "published, at the time chosen before,",
  [`${name}.schedule`]: "chose a time to publish",
  [`${name}.unschedule`]: "cancelled the time to publish",
  [`${name}.take_down`]: "took down",
  [`${name}.put_aside`]: "put aside",
  [`${name}.bring_back`]: "brought back",
  [`${name}.replace_picture`]: "put another picture in",
  [`${name}.restore`]: "restored an earlier version of",
});

/** What the audit trail says for each act on a picture of the library. */
export const picturesAuditWords: AuditWords = {
  "pictures.add": "added",
  "pictures.change": "changed",
  "pictures.replace": "put another in the place of",
  "pictures.delete": "deleted",
};

/** What the audit trail says for each act on a message of the contact form. */
export const messagesAuditWords: AuditWords = {
  "messages.answer": "marked as answered",
  "messages.spam": "marked as spam",
  "messages.reopen": "opened again",
};

/** What the audit trail says for each act on a link to another website. */
export const linksAuditWords: AuditWords = {
  "links.except": "ended the checks of",
  "links.include": "began the checks again of",
};

const formatPercent = (value: unknown) => `${value} %`;
const formatVersion = (value: unknown) => (value === null ? "None" : String(value));

/** The labels of fields that only acts on content have. */
export const contentAuditFields = {
  title: { label: "Title" },
  copy: { label: "The copy’s number" },
  types: { label: "Ticket types" },
  address: { label: "Address" },
  leadsTo: { label: "Leads to" },
  version: { label: "Version", format: formatVersion },
  focusX: { label: "Focal point from the left", format: formatPercent },
  focusY: { label: "Focal point from the top", format: formatPercent },
  replacement: { label: "In its place" },
  places: { label: "Where" },
  picture: { label: "Picture" },
  restored: { label: "Restored version", format: formatVersion },
  publishAt: {
    label: "To be published",
    format: (value) => describeTime(new Date(String(value))),
  },
} as const satisfies AuditFields;
