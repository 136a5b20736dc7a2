import { join } from "node:path";
import { readWords } from "#shared/config/read-words.ts";
import { importSite } from "./import-site.ts";
import { print, runTransfer, withSite } from "./transfer-command.ts";

const usage =
  "npm run import -- FILE [--key KEYFILE]     fills the empty database of DATABASE_URL or DATA_DIR from an export";

await runTransfer(async () => {
  const { values, positionals } = readWords({ allowPositionals: true, options: { key: { type: "string" } } }, usage);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Error(usage);
  await withSite(true, async (url, { dataDir }) => {
    const { createdAt } = await importSite({ url, file, dataDir, keyFile: values.key ?? null, now: new Date() });
    print(`The database of ${createdAt} was imported, and all of it is there.`);
    print(`Its key is in ${join(dataDir, "secret-key")}. All machines of the site need it there or as SECRET_KEY.`);
    if (process.env.SECRET_KEY !== undefined)
      print("SECRET_KEY is set, and takes precedence: remove it, or set it to that key.");
    print("The site starts paused: it shows its pages, and takes no payments. When you have looked at it:");
    print("npm run reopen -- --last-receipt NUMBER");
  });
});
