/** Where a test may have the process killed: each is a moment between two things that belong together. */
export const crashPoints = ["before_insert", "inserted", "sending", "answered", "settled", "mail_sent"] as const;
/** The same where the payer's bank is asked first: it has answered, and nobody has written that down. */
export const authenticationCrashPoints = ["authenticated"] as const;
/** The same on the way of a refund. */
export const refundCrashPoints = ["refund_requested", "refund_sending", "refund_answered", "refund_settled"] as const;
export type CrashPoint =
  | (typeof crashPoints)[number]
  | (typeof authenticationCrashPoints)[number]
  | (typeof refundCrashPoints)[number];

/** Kills the process on the nth pass of one point: `answered:3`. Without a setting it does nothing. */
export function createCrash(setting: string | undefined): (point: CrashPoint) => void {
  if (setting === undefined) return () => undefined;
  const [chosen, nth = "1"] = setting.split(":");
  let passes = 0;
  return (point) => {
    if (point !== chosen) return;
    passes += 1;
    if (passes === Number(nth)) process.kill(process.pid, "SIGKILL");
  };
}
