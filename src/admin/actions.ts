import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Actor } from "./audit.ts";
import type { StaffMember } from "./rights.ts";
import type { Access } from "./screen.ts";
import type { StaffSession } from "./staff-sessions.ts";
import type { Undo } from "./toast.ts";

/** One form of the back office: what it may contain, and what happens when it is sent. */
export type Action<Fields extends z.ZodType = z.ZodType> = {
  /** Where it is sent: '/admin/donations/:id/note'. */
  readonly path: string;
  readonly right: Access;
  /** Whether the person must prove again who they are, unless they did less than ten minutes ago. */
  readonly needsProof?: true;
  /** The path of the screen with the form: '/admin/donations/:id'. It is shown again, filled, if a field is wrong. */
  readonly screen: string;
  /** The rules for the form's fields. Each is a text, or a list of texts if its name comes more than once. */
  readonly fields: Fields;
  /** The form has files (`ActionForm` with `hasFiles`): their field's name, and how many there may be. */
  readonly files?: { readonly name: string; readonly max: number };
  /** Once the person has logged in or proved who they are, a form that was kept meanwhile is shown again, filled. */
  readonly resumes?: true;
  /** @throws AppError `invalid_input` with messages for fields; `Refusal` with one sentence for the whole form. */
  readonly run: (sent: SentForm<z.output<Fields>>) => Promise<ActionDone | ToCheck | LinkMade | FileMade>;
};

export type SentForm<Fields> = {
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Fields;
  /** Readable only until the action is done. */
  readonly files: readonly SentFile[];
  readonly actor: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & WhoSends;

/** A file of a form, or why it was refused; `name` is what its sender calls it. */
export type SentFile = { readonly name: string } & ({ readonly bytes: Buffer } | { readonly fault: string });

/** Undefined if everybody may send the form. */
type WhoSends = { readonly staff: StaffMember; readonly session: StaffSession };

/**
 * Where the browser goes next, and the sentence of a toast there. `undo` adds a button that reverses the act;
 * `download` is a file that the browser then downloads.
 */
export type ActionDone = {
  readonly to: string;
  readonly toast?: string;
  readonly undo?: Undo;
  readonly download?: string;
};

/**
 * Where the act made a link that only the person who acted may have: the answer itself has it, and no address, cookie or
 * later screen.
 */
export type LinkMade = { readonly message: string; readonly link: string };

/**
 * Nothing was done: the form is shown again, filled, with this sentence, so that the person can check what it will do.
 */
export type ToCheck = { readonly check: string };

/** Nothing was done: this is shown instead of a screen, such as a PDF of what was typed. */
export type FileMade = {
  readonly file: { readonly bytes: Buffer | string; readonly headers: Readonly<Record<string, string>> };
};

/** An act that is not possible now; its sentence says why, and what to do. Nothing was changed. */
export class Refusal extends Error {}

/** Erases the type of the fields, so that all actions fit into one list. */
export function action<Fields extends z.ZodType>({ run, ...declared }: Action<Fields>): Action {
  return { ...declared, run: (sent) => run(sent as SentForm<z.output<Fields>>) };
}
