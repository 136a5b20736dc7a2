import { spawnSync } from "node:child_process";
import { chownSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";

/**
 * The account that PostgreSQL runs as. `prefix` goes before its command; `ids` are for spawn.
 * `uid` owns its files, as this process sees it.
 */
export type Account = {
  readonly prefix: readonly string[];
  readonly ids: { readonly uid?: number; readonly gid?: number };
  readonly uid: number;
};

/**
 * Chooses an account that PostgreSQL accepts: it refuses root, and `initdb` refuses a user without a passwd entry.
 * A user namespace with another user id solves both and keeps our access to files. If the machine forbids that, root runs
 * it as `nobody`, who then owns `folder`. An existing cluster keeps its owner.
 * @throws Error with a sentence if none of this is possible
 */
export function chooseAccount(folder: string, postgres: string): Account {
  const uid = process.getuid!();
  const data = join(folder, "data");
  const owner = existsSync(data) ? statSync(data).uid : null;
  if (uid !== 0 && (owner !== null || hasPasswdEntry())) return { prefix: [], ids: {}, uid };
  if (uid === 0 && owner) return { prefix: [], ids: { uid: owner, gid: statSync(data).gid }, uid: owner };
  const inner = findPasswdId((id) => id !== 0) ?? 1000;
  const prefix = ["unshare", "--user", `--map-user=${inner}`, `--map-group=${inner}`, "--"];
  if (spawnSync(prefix[0]!, [...prefix.slice(1), "true"]).status === 0) return { prefix, ids: {}, uid };
  if (uid !== 0) {
    throw new Error(`The user id ${uid}, which runs this, has no line in /etc/passwd, which PostgreSQL needs.`);
  }
  return nobodyWith(folder, postgres);
}

function nobodyWith(folder: string, postgres: string): Account {
  const id = findPasswdId((_, name) => name === "nobody") ?? 65_534;
  const ids = { uid: id, gid: id };
  const reach = ["-c", 'test -x "$0" && test -x "$1"', dirname(folder), postgres];
  if (spawnSync("/bin/sh", reach, ids).status !== 0) {
    throw new Error(
      `PostgreSQL refuses to run as root, this machine gives us no user namespace, and the user nobody cannot reach ${folder} or ${postgres}. Start this as an ordinary user.`,
    );
  }
  chownSync(folder, id, id);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) lchownSync(join(folder, name), id, id);
  return { prefix: [], ids, uid: id };
}

function hasPasswdEntry(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function findPasswdId(fits: (id: number, name: string) => boolean): number | undefined {
  if (!existsSync("/etc/passwd")) return undefined;
  const people = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , id = "0"]) => ({ name, id: Number(id) }));
  return people.find(({ id, name }) => fits(id, name))?.id;
}
