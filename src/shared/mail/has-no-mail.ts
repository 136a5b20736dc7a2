type MailSettings = { readonly isDemo: boolean; readonly mail: { readonly smtpUrl: string | undefined } };

/** Whether emails reach nobody: no mail server is set, and only a demo has a mailbox to read instead. */
export const hasNoMail = ({ isDemo, mail }: MailSettings): boolean => !isDemo && mail.smtpUrl === undefined;
