type S3Settings = {
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_BUCKET?: string | undefined;
  readonly S3_REGION?: string | undefined;
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly S3_NEW_FILES: "on" | "off";
};

/** The bucket for files; null if they are in the database. @throws Error if only some of its settings are given. */
export function readFileSettings({ S3_NEW_FILES, ...settings }: S3Settings) {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  const names = { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const missing = Object.entries(names).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === Object.keys(names).length) return null;
  if (missing.length > 0) {
    throw new Error(
      `Files in a bucket need all of ${Object.keys(names).join(", ")}. Set ${missing.join(", ")}, or remove the others.`,
    );
  }
  return {
    endpoint: S3_ENDPOINT!.replace(/\/$/, ""),
    bucket: S3_BUCKET!,
    region: S3_REGION!,
    accessKeyId: S3_ACCESS_KEY_ID!,
    secretAccessKey: S3_SECRET_ACCESS_KEY!,
    isForNew: S3_NEW_FILES === "on",
  };
}
