import type { DemoPast } from "#payments/demo/demo-payments.ts";
import { addApplications } from "./add-applications.ts";
import { addShifts } from "./add-shifts.ts";

/** Applications in all stages, and shifts behind and ahead. Nobody pays for them. */
export function planVolunteers(services: Parameters<typeof addApplications>[0], now: Date): DemoPast {
  return {
    payments: [],
    add: async () => {
      await addApplications(services, now);
      await addShifts(services, now);
    },
  };
}
