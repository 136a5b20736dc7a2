import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createSimulatorServer } from "#simulators/server.ts";
import { readSettings } from "#simulators/settings.ts";

/**
 * The simulators over real HTTP in this process. Half a second faster than `startSimulators`, which starts a process of
 * its own, for tests that kill it.
 */
export async function openSimulators(dataDir: string, environment: Readonly<Record<string, string>> = {}) {
  const server = createSimulatorServer(readSettings({ ...environment, SIMULATOR_PORT: "0", DATA_DIR: dataDir }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, "close");
      server.close().closeAllConnections();
      await closed;
    },
  };
}
