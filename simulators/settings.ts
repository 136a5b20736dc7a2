import { createHash } from "node:crypto";
import path from "node:path";
import { z } from "zod";

export type Settings = {
  /** 0 asks the system for a free one. */
  readonly port: number;
  readonly dataDir: string;
  readonly payway: {
    readonly publishableKey: string;
    readonly secretKey: string;
    readonly merchantId: string;
    /** What a second, different request under a used key gets; PayWay documents none of the three. */
    readonly idempotencyMode: "replay" | "422" | "409";
    /** The last part of the path of 3-D Secure, as in the site's settings. */
    readonly authenticationPath: string;
  };
  readonly braintree: {
    readonly merchantId: string;
    readonly publicKey: string;
    readonly privateKey: string;
    readonly merchantAccountId: string;
    /** Whether `api_request_key` is allowed; Braintree allows it to few. */
    readonly hasRequestKeys: boolean;
  };
};

const Environment = z.object({
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  DATA_DIR: z.string().min(1).default("./data"),
  PAYWAY_PUBLISHABLE_KEY: z.string().min(1).default("T10000_PUB_simulator"),
  PAYWAY_SECRET_KEY: z.string().min(1).default("T10000_SEC_simulator"),
  PAYWAY_MERCHANT_ID: z.string().min(1).default("TEST"),
  PAYWAY_3DS_PATH: z.string().min(1).default("three-ds2-authentication"),
  BRAINTREE_MERCHANT_ID: z.string().min(1).default("simulator"),
  BRAINTREE_PUBLIC_KEY: z.string().min(1).default("simulator_public"),
  BRAINTREE_PRIVATE_KEY: z.string().min(1).default("simulator_private"),
  BRAINTREE_MERCHANT_ACCOUNT_ID: z.string().min(1).default("simulator_aud"),
  BRAINTREE_REQUEST_KEYS: z.enum(["on", "off"]).default("off"),
  IDEMPOTENCY_MODE: z.enum(["replay", "422", "409"]).default("replay"),
  PAYMENTS: z
    .literal("simulated", "The simulators do not run where PAYMENTS is live: they would pass test cards off as money.")
    .default("simulated"),
});

/** Reads the environment; throws one sentence that names the bad value. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== "");
  const parsed = Environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const values = parsed.data;
  return {
    port: values.SIMULATOR_PORT,
    dataDir: path.resolve(values.DATA_DIR),
    payway: {
      publishableKey: values.PAYWAY_PUBLISHABLE_KEY,
      secretKey: values.PAYWAY_SECRET_KEY,
      merchantId: values.PAYWAY_MERCHANT_ID,
      idempotencyMode: values.IDEMPOTENCY_MODE,
      authenticationPath: values.PAYWAY_3DS_PATH,
    },
    braintree: {
      merchantId: values.BRAINTREE_MERCHANT_ID,
      publicKey: values.BRAINTREE_PUBLIC_KEY,
      privateKey: values.BRAINTREE_PRIVATE_KEY,
      merchantAccountId: values.BRAINTREE_MERCHANT_ACCOUNT_ID,
      hasRequestKeys: values.BRAINTREE_REQUEST_KEYS === "on",
    },
  };
}

/** Tells apart simulators with different data directories or keys. */
export function fingerprint({ dataDir, payway, braintree }: Settings): string {
  return createHash("sha256").update(JSON.stringify({ dataDir, payway, braintree })).digest("hex").slice(0, 16);
}
