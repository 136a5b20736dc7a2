import { takePlace } from "#features/volunteering/server/shift-places.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";

// A process of its own that signs volunteers up for a shift, all at the same time: node shift-taker.ts SHIFT ROLE ID…
// Prints how many got a place.
const [, , shiftId = "", role = "", ...people] = process.argv;
const database = createDatabase(createPool(process.env.DATABASE_URL ?? "", () => undefined));
const services = { database, jobs: { send: async () => undefined }, now: () => new Date() };
const faults = await Promise.all(people.map((applicationId) => takePlace(services, { shiftId, applicationId, role })));
process.stdout.write(String(faults.filter((fault) => fault === null).length));
await database.destroy();
