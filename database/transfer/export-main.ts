import { readWords } from "#shared/config/read-words.ts";
import { describeBucketFiles } from "../backup/bucket-files.ts";
import { exportSite } from "./export-site.ts";
import { print, runTransfer, withSite } from "./transfer-command.ts";

const usage = `npm run export -- FILE.tar.zst         writes all rows of the site's database and its key into one file
npm run export -- FILE.tar.zst.age     the same, encrypted for BACKUP_RECIPIENT`;

await runTransfer(async () => {
  const [file, ...more] = readWords({ allowPositionals: true, options: {} }, usage).positionals;
  if (file === undefined || more.length > 0) throw new Error(usage);
  await withSite(false, async (url, { secretKey, backup }) => {
    const done = await exportSite({ url, secretKey, file, recipient: backup.recipient });
    print(`${done.rows} rows and the key are in ${done.file} (${(done.bytes / 1e6).toFixed(1)} MB).`);
    const elsewhere = describeBucketFiles(done.bucketFiles);
    if (elsewhere !== null) print(elsewhere);
  });
});
