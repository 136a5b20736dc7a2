import type { FastifyInstance } from "fastify";
import type { Action } from "./actions.ts";
import type { AuditSubjects, AuditWords } from "./acts.ts";
import type { AuditFields } from "./audit-fields.ts";
import type { DashboardPart } from "./dashboard.ts";
import type { PersonPart } from "./person.ts";
import type { Access, AdminReads } from "./screen.ts";
import type { SearchPart } from "./search.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may use an address of the back office. */
    readonly access?: Access;
    readonly needsProof?: boolean;
  }
}

/** What a feature adds to the back office's server; its screens are listed in `src/app/admin/screens.ts`. */
export type AdminPart = {
  /** The data for its screens; declare each read by extending `AdminReads`. */
  readonly reads?: object;
  readonly actions?: readonly Action[];
  readonly dashboard?: readonly DashboardPart[];
  readonly search?: readonly SearchPart[];
  /** What it adds to a person’s page. */
  readonly person?: readonly PersonPart[];
  /** Addresses other than screens and forms, such as exports. Each names who may use it: `config: { access: "exports.make" }`. */
  readonly routes?: (admin: FastifyInstance, reads: AdminReads) => void;
  /** The audit trail's words for each verb that the feature records; they are in its `admin/audit-words.ts`. */
  readonly auditWords?: AuditWords;
  /** The labels of fields that only its acts have, and how their values are formatted. */
  readonly auditFields?: AuditFields;
  /** The kinds of things that its acts are done to: their names and their addresses. */
  readonly auditSubjects?: AuditSubjects;
};
