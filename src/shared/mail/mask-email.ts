/** 'a…@example.com': the audit trail can never be erased, so it has no whole address of anybody. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${[...email][0] ?? ""}…${email.slice(at)}`;
}
