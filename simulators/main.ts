import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findRunningSimulator } from "./running.ts";
import { createSimulatorServer } from "./server.ts";
import { fingerprint, readSettings, type Settings } from "./settings.ts";

/** Runs the simulators until a signal ends them. Exits with 1 and a sentence if they cannot run. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const running = settings.port === 0 ? null : await findRunningSimulator(settings.port);
  if (running !== null) {
    if (running.fingerprint !== fingerprint(settings)) throw new Error(otherSimulator(settings, running.pid));
    console.log(`Simulators are already running at http://127.0.0.1:${settings.port}`);
    return;
  }
  const portFile = join(settings.dataDir, "simulator-port");
  await refuseSecond(settings, portFile);
  const server = createSimulatorServer(settings);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(portFile, new URL(url).port);
  console.log(`Simulators listen at ${url}`);
  process.send?.({ url });
  if (process.connected) process.disconnect();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));
}

/** Two simulators would each have only its own payments on the books that they share. */
async function refuseSecond({ port, dataDir }: Settings, portFile: string): Promise<void> {
  if (!existsSync(portFile)) return;
  const first = Number(readFileSync(portFile, "utf8"));
  if (port === 0 || (await findRunningSimulator(first))?.dataDir !== dataDir) return;
  throw new Error(`Those of this data folder are at port ${first}. Set SIMULATOR_PORT to ${first}, for every process.`);
}

function otherSimulator({ port }: Settings, pid: number): string {
  return `Port ${port} is served by a simulator of another data directory or other keys (process ${pid}). Stop it, or set another PORT or SIMULATOR_PORT.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error: NodeJS.ErrnoException) => {
    const sentence =
      error.code === "EADDRINUSE"
        ? `${error.message}. Stop what serves that port, or set SIMULATOR_PORT.`
        : error.message;
    console.error(`The simulators did not start. ${sentence}`);
    process.exitCode = 1;
    if (process.connected) process.disconnect();
  });
}
