import pg from "pg";

/** The SQLSTATEs that taking seats raises: the address or browser has made another hold. */
export const HELD_MEANWHILE = "AL006";
/** An order has this key already. */
export const KEY_USED = "AL007";
/** A discount code has too few uses left. */
export const NO_USES = "AL008";
/** Somebody asked to call off the event. */
export const SALES_STOPPED = "AL009";

export const isRaised = (error: unknown, code: string) => error instanceof pg.DatabaseError && error.code === code;
