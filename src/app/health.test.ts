import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSite } from "#test/site.ts";

/** A disk of 40 MB; false where this account may not mount one. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("REL-7: /readyz reports a full disk until there is room again", async ({ onTestFinished, skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "almoner-full-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (!mountSmallDisk(folder)) skip("this account may not mount a disk");
  const site = await openTestSite({ DATA_DIR: folder });
  const ask = async () => {
    const response = await site.app.inject("/readyz");
    return [response.statusCode, response.json().status];
  };
  try {
    expect(await ask()).toEqual([200, "ready"]);
    const file = join(folder, "large");
    writeFileSync(file, Buffer.alloc(20_000_000));
    expect(await ask()).toEqual([503, "the disk of DATA_DIR is full"]);
    rmSync(file);
    expect(await ask()).toEqual([200, "ready"]);
  } finally {
    await site.close();
    execFileSync("umount", [folder]);
  }
});
