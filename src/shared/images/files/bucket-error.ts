/**
 * `away`: no answer in time, or a fault on its side. `refused`: it does not do what we ask, and will not until somebody
 * changes something. `missing`: no such object. `damaged`: other bytes than were stored.
 */
type BucketFault = "away" | "refused" | "missing" | "damaged";

/** What a bucket answered instead of doing what it was asked. */
export class BucketError extends Error {
  readonly fault: BucketFault;
  /** S3's own, such as 'AccessDenied', or that of the network, such as 'ECONNREFUSED'. */
  readonly code: string;

  constructor(fault: BucketFault, code: string, options?: ErrorOptions) {
    super(`The bucket: ${fault} (${code}).`, options);
    this.fault = fault;
    this.code = code;
  }

  /** The bucket is there, and the object is not. */
  get isMissingObject(): boolean {
    return this.fault === "missing" && this.code !== "NoSuchBucket";
  }
}

const sentences: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: "The secret key is wrong: correct S3_SECRET_ACCESS_KEY.",
  InvalidAccessKeyId: "The storage does not know the key's id: correct S3_ACCESS_KEY_ID.",
  AccessDenied: "The key may not do this: allow it to read, write, delete and list objects of this bucket.",
  NoSuchBucket: "There is no such bucket: create it, or correct S3_BUCKET.",
  RequestTimeTooSkewed: "This machine's clock is wrong: set it by NTP.",
  AuthorizationHeaderMalformed: "The region is wrong: correct S3_REGION.",
  redirect: "The storage points to another address: correct S3_ENDPOINT and S3_REGION.",
  timeout: "The storage does not answer in time: check S3_ENDPOINT, and whether this machine reaches it.",
  open: "The storage has just failed several times, so it is left alone for ten seconds.",
};

/** What is wrong and what to do, as a sentence for the operator, without a secret. */
export function explainBucketError(error: unknown): string {
  if (!(error instanceof BucketError)) return (error as Error).message;
  const known = sentences[error.code];
  if (known !== undefined) return known;
  if (error.fault === "missing") return "The object is not in the bucket.";
  if (error.fault === "damaged") return `The bucket has other bytes than were stored (${error.code}).`;
  if (error.fault === "refused") return `The storage refuses this (${error.code}): see what that means there.`;
  return `The storage does not answer (${error.code}): check S3_ENDPOINT, and whether this machine reaches it.`;
}
