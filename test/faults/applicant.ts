import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { APPLY, applicationFields, type FormPart, formType, textParts, writeForm } from "#test/application-form.ts";
import type { ChildSite } from "#test/child-site.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";

type Told = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

/** An applicant with their own network address, over real connections. */
export async function openApplicant(site: ChildSite, address: string) {
  const first = await fetch(`${site.url}/api/checkout`);
  const token = /XSRF-TOKEN=([^;]+)/.exec(first.headers.get("set-cookie") ?? "")?.[1] ?? "";
  const identity = { cookie: `XSRF-TOKEN=${token}`, "x-xsrf-token": token, "x-forwarded-for": address };

  const captcha = async () =>
    solveCaptcha((await (await fetch(`${site.url}/api/captcha?action=volunteer`)).json()) as object);

  return {
    identity,
    captcha,
    /** A complete form, with `fields` replacing the usual ones and a solved captcha unless one is given. */
    async apply(files: readonly FormPart[], fields: Record<string, string> = {}): Promise<Told> {
      const solved = fields.captcha ?? (await captcha());
      const body = writeForm([...textParts({ ...applicationFields, ...fields, captcha: solved }), ...files]);
      const headers = { ...identity, "content-type": formType };
      const response = await fetch(site.url + APPLY, { method: "POST", headers, body: new Uint8Array(body) });
      return { status: response.status, headers: response.headers, body: (await response.json()) as Told["body"] };
    },
    /** A connection with the headers of a request sent; the caller sends the body. */
    async begin(length: number, { path = APPLY, type = formType, headers = identity as object } = {}): Promise<Socket> {
      const { hostname, port } = new URL(site.url);
      const socket = connect(Number(port), hostname);
      await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
      const all = { host: "x", "content-type": type, "content-length": length, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
      return socket;
    },
  };
}

/** Resolves when everything is sent, as for a client that reads only after writing. */
export function writeAll(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
}

/** Reads the next answer on a connection, and keeps it open. */
export function readApplicantAnswer(socket: Socket): Promise<Told> {
  return new Promise((resolve, reject) => {
    let text = "";
    const listen = (chunk: Buffer) => {
      text += chunk.toString();
      const [head = "", body] = text.split("\r\n\r\n", 2);
      const [, ...lines] = head.split("\r\n");
      const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
      if (body === undefined || Buffer.byteLength(body) < Number(headers.get("content-length"))) return;
      socket.off("data", listen);
      resolve({ status: Number(head.slice(9, 12)), headers, body: JSON.parse(body) });
    };
    socket.on("data", listen).once("error", reject);
    socket.once("close", () => reject(new Error(`The connection was cut after ${JSON.stringify(text.slice(0, 200))}`)));
  });
}

/** Trickles bytes, and resolves to the milliseconds until the server cut the connection. */
export async function waitForCut(socket: Socket): Promise<number> {
  const began = performance.now();
  const drip = setInterval(() => socket.write("-"), 50);
  await new Promise((resolve) =>
    socket
      .resume()
      .on("error", () => undefined)
      .once("close", resolve),
  );
  clearInterval(drip);
  return performance.now() - began;
}

/** Bytes of memory that a process has now, and its peak since `forgetPeak`. */
export function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: of("VmRSS"), peak: of("VmHWM") };
}
/** Sets the peak of memory that `readMemory` tells to what the process uses now. */
export const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, "5");

/**
 * A site's open files and its visitors' connections. Leaves out what else comes and goes: its threads' pipes and its
 * connections to the database.
 */
export function countOpenFiles({ pid, url }: ChildSite): number {
  const folder = `/proc/${pid()}/fd`;
  const targets = readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // Closed in the meantime.
    }
  });
  // `sl local_address rem_address st … inode`, with addresses and ports in hexadecimal.
  const port = `:${Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0")}`;
  const visitors = ["tcp", "tcp6"].flatMap((family) =>
    readFileSync(`/proc/${pid()}/net/${family}`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local]) => local?.endsWith(port))
      .map((fields) => `socket:[${fields[9]}]`),
  );
  return targets.filter((target) => target.startsWith("/") || visitors.includes(target)).length;
}
