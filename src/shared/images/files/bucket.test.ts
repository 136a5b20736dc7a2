import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openS3Server, type S3Server } from "#test/s3-server.ts";
import { createBucket } from "./bucket.ts";
import { explainBucketError } from "./bucket-error.ts";

let s3: S3Server;
beforeAll(async () => {
  s3 = await openS3Server({ pageSize: 2 });
});
beforeEach(() => {
  Object.assign(s3, { fault: null, isPublic: false, versioning: null });
  s3.objects.clear();
  s3.requests.length = 0;
});
afterAll(() => s3.close());

const open = (changes: Partial<S3Server["settings"]> = {}) => createBucket({ ...s3.settings, ...changes });
const openHasty = () => createBucket(s3.settings, { readMs: 700, writeMs: 20_000, pauseMs: 1500 });
const photo = Buffer.from([0, 255, 10, 13, 38, 60]);

/** `Signature` of Amazon's examples for S3: docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. */
test.each([
  ["GET", "/test.txt", { range: "bytes=0-9" }, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"],
  [
    "PUT",
    "/test$file.text",
    { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  ["GET", "/?lifecycle", {}, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["GET", "/?max-keys=2&prefix=J", {}, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
] as const)("STO-1: %s %s is signed as in Amazon's own example", async (method, path, headers, signature) => {
  const { AwsV4Signer } = await import("aws4fetch");
  const { createHash } = await import("node:crypto");
  const body = method === "PUT" ? "Welcome to Amazon S3." : "";
  const signer = new AwsV4Signer({
    method,
    url: `https://examplebucket.s3.amazonaws.com${path}`,
    region: "us-east-1",
    service: "s3",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    datetime: "20130524T000000Z",
    allHeaders: true,
    headers: { ...headers, "x-amz-content-sha256": createHash("sha256").update(body).digest("hex") },
  });
  expect((await signer.sign()).headers.get("authorization")).toContain(`Signature=${signature}`);
});

test("STO-1: a bucket that checks every signature and hash takes what we put, and gives it back to the byte", async () => {
  const bucket = open();
  await bucket.put("files/a", photo);
  expect(s3.objects.get("files/a")?.body).toEqual(photo);
  expect(await bucket.get("files/a", photo.length)).toEqual(photo);
  expect(await bucket.head("files/a")).toBe(photo.length);
  await expect(bucket.put("files/a", photo, { isNew: true })).rejects.toMatchObject({ code: "PreconditionFailed" });
  await bucket.remove("files/a");
  await bucket.remove("files/a");
  await expect(bucket.get("files/a", 9)).rejects.toMatchObject({ fault: "missing", code: "NoSuchKey" });
  await expect(bucket.head("files/a")).rejects.toMatchObject({ fault: "missing" });
});

test("STO-1: a list goes on over all its pages", async () => {
  const bucket = open();
  const names = ["a", "b", "c", "d", "e"].map((name) => `files/${name}`);
  for (const name of [...names, "owner"]) await bucket.put(name, photo);
  const listed: string[] = [];
  let next: string | null = null;
  do {
    const page = await bucket.list("files/", next);
    listed.push(...page.objects.map(({ name }) => name));
    expect(Math.abs(page.at.getTime() - page.objects[0]!.changedAt.getTime())).toBeLessThan(600_000);
    next = page.next;
  } while (next !== null);
  expect(listed).toEqual(names);
  expect(s3.requests.filter((one) => one.startsWith("GET ?"))).toHaveLength(3);
});

test.each([
  ["secretAccessKey", "hunter2", "correct S3_SECRET_ACCESS_KEY"],
  ["accessKeyId", "AKIASOMEBODY", "correct S3_ACCESS_KEY_ID"],
  ["region", "eu-west-1", "correct S3_REGION"],
  ["bucket", "other-bucket", "correct S3_BUCKET"],
  ["endpoint", "http://127.0.0.1:1", "check S3_ENDPOINT"],
] as const)(
  "STO-2: a wrong %s is named in a sentence without the secret, and nothing is stored",
  async (name, value, sentence) => {
    const error = await open({ [name]: value })
      .put("files/a", photo)
      .catch((error: unknown) => error);
    expect(explainBucketError(error)).toContain(sentence);
    expect(JSON.stringify([error, explainBucketError(error), String(error)])).not.toMatch(/hunter2|letmein/);
    expect(s3.objects.size).toBe(0);
  },
);

test.each([
  ["redirect", "refused", "redirect"],
  ["deny", "refused", "AccessDenied"],
  ["error", "away", "InternalError"],
  ["down", "away", expect.stringMatching(/\w/)],
  ["hang", "away", "timeout"],
  ["long", "damaged", "too long"],
] as const)("STO-5: a bucket that answers with %s is %s", async (fault, expected, code) => {
  const bucket = fault === "hang" ? openHasty() : open();
  await bucket.put("files/a", photo);
  s3.fault = fault;
  await expect(bucket.get("files/a", photo.length)).rejects.toMatchObject({ fault: expected, code });
});

test("STO-5: a bucket that hangs is asked three times, then left alone, and asked once whether it is back", async () => {
  const bucket = openHasty();
  await bucket.put("files/a", photo);
  s3.fault = "hang";
  s3.requests.length = 0;
  const ask = () => bucket.get("files/a", photo.length).catch(({ code }: { code: string }) => code);
  expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([
    "timeout",
    "timeout",
    "timeout",
    "open",
    "open",
  ]);
  expect(s3.requests).toHaveLength(3);
  await expect.poll(ask).toBe("timeout");
  const asked = s3.requests.length;
  expect(await Promise.all(Array.from({ length: 10 }, ask))).toEqual(Array(10).fill("open"));
  expect(s3.requests).toHaveLength(asked);
  s3.fault = null;
  await expect.poll(ask).toEqual(photo);
  expect(await Promise.all(Array.from({ length: 10 }, ask))).toEqual(Array(10).fill(photo));
});

test("STO-8: it says whether anybody may read an object, and whether the bucket keeps what is deleted", async () => {
  const bucket = open();
  await bucket.put("owner", photo);
  expect([await bucket.readOpenStatus("owner"), await bucket.readVersioning()]).toEqual([403, null]);
  Object.assign(s3, { isPublic: true, versioning: "Enabled" });
  expect([await bucket.readOpenStatus("owner"), await bucket.readVersioning()]).toEqual([200, "Enabled"]);
});
