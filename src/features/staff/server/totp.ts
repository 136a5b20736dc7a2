/** Loaded when first needed, because most staff use passkeys. */
const loadTotp = () => import("otpauth");

const PERIOD_SECONDS = 30;
/** Codes of the steps before and after are accepted too: clocks differ, and typing takes a while. */
const WINDOW = 1;

// Some authenticator apps support only SHA-1 with six digits.
const kind = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS } as const;

/** A new secret of 160 bits, in base32 as people type it into apps. */
export async function makeTotpSecret(): Promise<string> {
  const { Secret } = await loadTotp();
  return new Secret({ size: 20 }).base32;
}

/** What an app reads from the QR code. */
export async function totpAddress(
  secret: string,
  { siteName, email }: { siteName: string; email: string },
): Promise<string> {
  const { Secret, TOTP } = await loadTotp();
  return new TOTP({ ...kind, issuer: siteName, label: email, secret: Secret.fromBase32(secret) }).toString();
}

/** The code for a moment. */
export async function totpCode(secret: string, at: Date): Promise<string> {
  const { Secret, TOTP } = await loadTotp();
  return new TOTP({ ...kind, secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/** The time step that the code is for; null if it is wrong. The caller accepts each step once, and none before it. */
export async function findTotpStep(secret: string, code: string, now: Date): Promise<number | null> {
  const { Secret, TOTP } = await loadTotp();
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const totp = new TOTP({ ...kind, secret: Secret.fromBase32(secret) });
  const difference = totp.validate({ token, timestamp: now.getTime(), window: WINDOW });
  return difference === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + difference;
}
