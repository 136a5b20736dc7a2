import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Actor } from "./audit.ts";
import type { StaffMember } from "./rights.ts";
import type { Access } from "./screen.ts";
import type { StaffSession } from "./staff-sessions.ts";

/** One form of the back office: what it may contain, and what happens when it is sent. */
export type Action<Fields extends z.ZodType = z.ZodType> = {
  /** Where it is sent: '/admin/donations/:id/note'. */
  readonly path: string;
  readonly right: Access;
  /** Asks who it is again unless that was less than ten minutes ago. */
  readonly needsProof?: true;
  /** The path of the screen with the form: '/admin/donations/:id'. It is shown again, filled, if a field is wrong. */
  readonly screen: string;
  /** Reads the form's fields: each a text, or a list of texts if its name comes more than once. */
  readonly fields: Fields;
  /** Afterwards a form that was kept while the person logged in, or proved who they are, is shown again, filled. */
  readonly resumes?: true;
  /** @throws AppError `invalid_input` with messages for fields; `Refusal` with one sentence for the whole form. */
  readonly run: (sent: SentForm<z.output<Fields>>) => Promise<ActionDone | ToCheck>;
};

export type SentForm<Fields> = {
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Fields;
  readonly actor: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & WhoSends;

/** Absent where the right is `everybody`. */
type WhoSends = { readonly staff: StaffMember; readonly session: StaffSession };

/** Where the browser goes next, and what a toast says there. */
export type ActionDone = { readonly to: string; readonly said?: string };

/** Nothing was done: the form is shown again, filled, with this sentence, so that its screen can show what it would do. */
export type ToCheck = { readonly check: string };

/** An act that is not possible now; its sentence says why, and what to do. Nothing was changed. */
export class Refusal extends Error {}

/** Erases the type of the fields, so that all actions fit into one list. */
export function action<Fields extends z.ZodType>({ run, ...declared }: Action<Fields>): Action {
  return { ...declared, run: (sent) => run(sent as SentForm<z.output<Fields>>) };
}
