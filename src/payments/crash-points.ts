/** Where tests can kill the process, each between two steps that belong together. */
export const crashPoints = ["before_insert", "inserted", "sending", "answered", "settled", "mail_sent"] as const;
/** With 3-D Secure: the bank has answered, but the answer is not recorded yet. */
export const authenticationCrashPoints = ["authenticated"] as const;
export const refundCrashPoints = ["refund_requested", "refund_sending", "refund_answered", "refund_settled"] as const;
export type CrashPoint =
  | (typeof crashPoints)[number]
  | (typeof authenticationCrashPoints)[number]
  | (typeof refundCrashPoints)[number];

/** Kills the process on the nth pass of one point, such as `answered:3`. Does nothing without a setting. */
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
