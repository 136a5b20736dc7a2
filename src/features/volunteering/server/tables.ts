import type { ColumnType, Generated } from "kysely";
import type { LoggedIn } from "#shared/database/tables.ts";

declare module "#shared/database/tables.ts" {
  interface Tables {
    volunteer_roles: {
      title: string;
      position: number;
      needs_check: boolean;
      changed_at: ColumnType<Date | null, Date | null | undefined, Date>;
    };
    volunteer_applications: {
      id: string;
      client_key: string;
      reference: string;
      name: string;
      street: string;
      city: Generated<string>;
      state: string;
      country: string;
      postcode: string;
      mobile: string;
      email: string;
      preferred_contact: "Email" | "SMS";
      skills: Generated<string>;
      experience: Generated<string>;
      availability: "Availability" | "Weekend";
      interests: string[];
      emergency_name: string;
      emergency_postcode: string;
      emergency_city: string;
      emergency_state: string;
      emergency_country: string;
      emergency_mobile: string;
      emergency_email: string;
      emergency_preferred_contact: "Email" | "SMS";
      photo_file_id: string | null;
      signature_file_id: string | null;
      stage: Generated<VolunteerStage>;
      stage_version: Generated<number>;
      roles: Generated<string[]>;
      decided_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      /** Since when we wait for the applicant's answer; null once they have changed something, or we have moved on. */
      asked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      files_deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      user_id: LoggedIn;
      /** If set, only the name and the checks are left: see features/volunteering/server/retention.ts. */
      erased_at: ColumnType<Date | null, Date | null | undefined, Date>;
      created_at: Date;
      updated_at: Date;
    };
    volunteer_events: {
      id: Generated<number>;
      application_id: string;
      event: string;
      actor: string;
      detail: ColumnType<unknown, string | null, never>;
      at: Date;
    };
    /** `last_day` is a text, YYYY-MM-DD. */
    volunteer_shifts: {
      id: string;
      title: string;
      event_id: ColumnType<number | null, number | null | undefined, number | null>;
      place: string;
      notes: string;
      starts_at: Date;
      ends_at: Date;
      last_day: string;
      version: Generated<number>;
      cancelled_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      created_at: Date;
    };
    volunteer_shift_roles: { shift_id: string; role: string; wanted: number };
    volunteer_shift_places: {
      id: string;
      shift_id: string;
      role: string;
      application_id: string;
      taken_at: Date;
      left_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      left_because: ColumnType<
        "withdrew" | "unfit" | "cancelled" | null,
        "withdrew" | undefined,
        "withdrew" | "unfit" | "cancelled" | null
      >;
      told_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      /** When they were emailed that the shift has moved, and when they were reminded of it since. */
      moved_at: ColumnType<Date | null, undefined, Date>;
      reminded_at: ColumnType<Date | null, undefined, Date | null>;
      minutes: ColumnType<number | null, number | null | undefined, number | null>;
    };
    /** `expires_on` is a text, YYYY-MM-DD. */
    working_with_children_checks: {
      id: string;
      application_id: string;
      state: "ACT" | "NSW" | "NT" | "QLD" | "SA" | "TAS" | "VIC" | "WA";
      number: string;
      kind: "volunteer" | "paid";
      expires_on: string;
      verified_by: string | null;
      verified_at: Date | null;
      /** Who recorded that the register no longer shows it as valid. */
      revoked_by: ColumnType<string | null, string | null | undefined, string | null>;
      revoked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      reminder_sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      expiry_notice_sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      replaced_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      created_at: Date;
    };
  }
}

type VolunteerStage = "received" | "in_review" | "approved" | "waiting" | "declined" | "withdrawn";
