import type { Config } from "../config/config.ts";

/** Whether emails reach nobody: no mail server is set, and only a demo has a mailbox to read instead. */
export const hasNoMail = ({ isDemo, mail }: Pick<Config, "isDemo" | "mail">): boolean =>
  !isDemo && mail.smtpUrl === undefined;
