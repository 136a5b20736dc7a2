type MailError = {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
};

/** What to do about an email that could not be sent, in sentences, with the mail server's own words if it said any. */
export function explainMailError(error: unknown, smtpUrl: string): string {
  const { response } = error as MailError;
  return [describeRemedy(error as MailError, whereOf(smtpUrl)), quoteAnswer(response)].filter(Boolean).join(" ");
}

/** The host and port of SMTP_URL: never its user or password. */
export function whereOf(smtpUrl: string): string {
  const url = URL.parse(smtpUrl);
  if (url === null) return "the address in SMTP_URL";
  return `${url.hostname}:${url.port || (url.protocol === "smtps:" ? "465" : "587")}`;
}

function describeRemedy({ code = "", command = "", responseCode = 0 }: MailError, where: string): string {
  if (code === "EAUTH" || code === "ENOAUTH") {
    return `The mail server ${where} does not accept the user name or the password in SMTP_URL. Some providers want an app password.`;
  }
  if (code === "EDNS" || code === "ENOTFOUND")
    return `There is no mail server called ${where}: check the host in SMTP_URL.`;
  if (code === "ETIMEDOUT") {
    return `The mail server ${where} did not answer in time. Many hosting companies block port 25: try 587 or 465.`;
  }
  if (code === "ETLS") {
    return `The connection to ${where} could not be encrypted. Port 465 wants smtps:// in SMTP_URL, port 587 smtp://.`;
  }
  if (code === "ESOCKET" || code === "ECONNECTION" || code === "ECONNREFUSED" || code === "EPROTOCOL") {
    return `No connection to a mail server at ${where}: check host and port in SMTP_URL, and smtps:// for port 465.`;
  }
  if (command.startsWith("MAIL")) {
    return `The mail server ${where} does not accept the sender: MAIL_FROM must be an address that it may send for.`;
  }
  if (command.startsWith("RCPT")) return `The mail server ${where} does not take emails to this address.`;
  if (responseCode >= 400 && responseCode < 500) return `The mail server ${where} could not take the email now.`;
  return `The mail server ${where} refused the email.`;
}

/** What a server answers is only shown: one line, not too long. */
function quoteAnswer(response: string | undefined): string {
  const line = (response ?? "").replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line === "" ? "" : `It said: ‘${line.length > 300 ? `${line.slice(0, 299)}…` : line}’`;
}
