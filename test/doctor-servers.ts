import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** Servers on free ports of this machine, for the doctor to ask. */
export function createDoctorServers() {
  const servers: Server[] = [];

  function listen(server: Server): Promise<number> {
    servers.push(server);
    return new Promise((resolve) =>
      server.listen(0, "localhost", () => resolve((server.address() as AddressInfo).port)),
    );
  }

  /** A mail server that takes the password 'letmein'. */
  const openMailServer = () =>
    listen(
      createTcpServer((socket) => {
        socket.on("error", () => undefined);
        socket.write("220 mail.example ESMTP\r\n");
        socket.on("data", (bytes) => {
          const line = String(bytes);
          if (line.startsWith("EHLO")) socket.write("250-mail.example\r\n250 AUTH PLAIN\r\n");
          else if (line.startsWith("AUTH")) {
            const given = Buffer.from(line.split(" ")[2] ?? "", "base64").toString();
            socket.write(given.endsWith("letmein") ? "235 welcome\r\n" : "535 no\r\n");
          } else socket.end("221 bye\r\n");
        });
      }),
    );
  const openPage = (status: number, headers: Record<string, string>, body = "") =>
    listen(createHttpServer((_, response) => response.writeHead(status, headers).end(body)));
  const certificate = readFileSync("test/certificates/localhost.pem", "utf8");
  const key = readFileSync("test/certificates/localhost.key.pem", "utf8");
  const openTls = () => listen(createTlsServer({ cert: certificate, key }, (socket) => socket.end()));
  const close = () => servers.map((server) => server.close());
  return { certificate, openMailServer, openPage, openTls, close };
}
