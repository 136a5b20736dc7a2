import type { ReactElement } from "react";
import type { FieldErrors } from "#shared/errors.ts";
import type { ActSubject, AuditSubjects, AuditWords, DescribedAct, RecordedAct } from "./acts.ts";
import type { AuditFields } from "./audit-fields.ts";
import { hasRight, type Right, type StaffMember } from "./rights.ts";

/** The reads that screens may use. Each feature adds its own, and its server manifest provides them. */
export interface AdminReads {
  readonly now: () => Date;
  /** What was done to one thing, or to several that belong together, latest first; `<Acts>` shows it. */
  readonly listActs: (about: ActSubject | readonly ActSubject[]) => Promise<DescribedAct[]>;
  readonly describeActs: (acts: readonly RecordedAct[]) => Promise<DescribedAct[]>;
  /** The words for acts, from every feature’s list. */
  readonly auditWords: AuditWords;
  readonly auditSubjects: AuditSubjects;
  readonly auditFields: AuditFields;
}

/** Who may see or send something: people with a right, whoever is logged in, or everybody (for logging in). */
export type Access = Right | "logged in" | "everybody";

/**
 * The sections of the navigation, in their order. A section shows if the person may see one of its screens; `g` and
 * then its key go there.
 */
export const sections = {
  dashboard: { label: "Dashboard", icon: "home", key: "d" },
  donations: { label: "Donations", icon: "drop", key: "o" },
  events: { label: "Events", icon: "cal", key: "e" },
  volunteers: { label: "Volunteers", icon: "people", key: "v" },
  content: { label: "Content", icon: "page", key: "c" },
  settings: { label: "Settings", icon: "sliders", key: "s" },
} as const;
export type Section = keyof typeof sections;

/** What was sent with a form that is shown again. */
export type FilledForm = {
  /** Where it was sent. */
  readonly action: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly errors: FieldErrors;
  /** One sentence for the whole form: why it was refused, or what to do now. */
  readonly message?: string | undefined;
  /** What the act made, shown this once (`LinkMade`). */
  readonly link?: string;
  /**
   * `done`: the form is empty again. `refused`: nothing was done. `resumed`: kept while the person logged in or proved
   * who they are. `checking`: valid, and sent again once the person has read what it will do.
   */
  readonly state: "done" | "refused" | "resumed" | "checking";
};

export type ScreenRequest = {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** The query's texts, none longer than 200 characters, but for `next`. */
  readonly query: Readonly<Record<string, string>>;
  /** Null only on screens for everybody. */
  readonly staff: StaffMember | null;
  /** The person's own session, by its id; "" without one. */
  readonly sessionId: string;
  /** For the audit trail, if looking is recorded. */
  readonly ipAddress: string;
  readonly form: FilledForm | null;
  /** No mail server is set, so nobody is told anything by email. */
  readonly hasNoMail: boolean;
  /** On the screens to log in or prove who one is: the form to continue with afterwards. */
  readonly carried: string | null;
};

/** A screen of the back office: a row in a feature's `admin/screens.tsx`. */
type ScreenRow<Data> = {
  /** '/admin/donations/:id' */
  readonly path: string;
  readonly right: Access;
  readonly section?: Section;
  /** Its name in the navigation, below its section; without it, only links lead there. */
  readonly menuLabel?: string;
  /** Null if there is no such thing. */
  readonly load: (reads: AdminReads, request: ScreenRequest) => Promise<Data | null>;
  readonly title: (data: Data) => string;
  readonly body: (data: Data, request: ScreenRequest) => ReactElement;
  /** Without navigation, for logging in or the door. */
  readonly isBare?: true;
  /** Its script uses the camera's picture: it may run a worker and WebAssembly. */
  readonly readsCodes?: true;
  /** The address to redirect to instead, if any: somebody who is logged in need not log in. */
  readonly leadsTo?: (request: ScreenRequest) => string | null;
};

export type Screen = ScreenRow<unknown>;

/** Erases the type of the screen's data, so that all screens fit into one list. */
export function screen<Data>({ title, body, ...row }: ScreenRow<Data>): Screen {
  return {
    ...row,
    title: (data) => title(data as Data),
    body: (data, request) => body(data as Data, request),
  };
}

/** Whether this person has access; null if nobody is logged in. */
export function hasAccess(staff: StaffMember | null, access: Access): boolean {
  if (access === "everybody") return true;
  if (staff === null) return false;
  return access === "logged in" || hasRight(staff, access);
}

/** How many lines of the dashboard belong to each section of the navigation; all of them count for the dashboard. */
export type WaitingCounts = Readonly<Partial<Record<Section, number>>>;

export type MenuEntry = {
  readonly section: Section;
  readonly label: string;
  readonly icon: (typeof sections)[Section]["icon"];
  readonly path: string;
  readonly isHere: boolean;
  /** How many things wait there for a person. */
  readonly waiting: number;
  readonly screens: readonly { readonly path: string; readonly label: string; readonly isHere: boolean }[];
};

/** The navigation of one person on one screen: what they may not see is not in it. */
export function listMenu(
  screens: readonly Screen[],
  staff: StaffMember,
  here: Screen | undefined,
  waiting: WaitingCounts = {},
): MenuEntry[] {
  return Object.entries(sections).flatMap(([name, { label, icon }]) => {
    const shown = screens.filter(
      ({ section, menuLabel, right }) => section === name && menuLabel !== undefined && hasAccess(staff, right),
    );
    const first = shown[0];
    if (first === undefined) return [];
    const isHere = here?.section === name;
    return {
      section: name as Section,
      label,
      icon,
      path: first.path,
      isHere,
      waiting: waiting[name as Section] ?? 0,
      screens: shown.map((one) => ({ path: one.path, label: one.menuLabel!, isHere: one === here })),
    };
  });
}
