import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { createTransport } from "nodemailer";
import { afterEach, expect, test } from "vitest";
import { explainMailError, whereOf } from "./explain-mail-error.ts";

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => void server.close()));

/** A mail server that answers what `answer` says to a line, else agrees. */
async function startSmtp(answer: (line: string) => string | undefined): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("220 test ready\r\n");
    socket.on("data", (data) => {
      for (const line of data.toString("latin1").split("\r\n").filter(Boolean)) {
        socket.write(`${answer(line) ?? (/^EHLO/.test(line) ? "250-test\r\n250 AUTH PLAIN LOGIN" : "250 well")}\r\n`);
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `smtp://user:very-secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What staff read when an email could not be sent by this address. */
async function explain(url: string): Promise<string> {
  const transport = createTransport({ url, connectionTimeout: 2000, greetingTimeout: 300 } as object);
  const sent = transport.sendMail({ from: "no-reply@charity.org.au", to: "amina@example.org", text: "Test" });
  return explainMailError(
    await sent.then(
      () => "sent",
      (error: unknown) => error,
    ),
    url,
  );
}

test.each([
  ["AUTH", "535 5.7.8 Authentication credentials invalid", "does not accept the user name or the password"],
  ["MAIL", "553 5.7.1 Sender address rejected: not owned by user", "does not accept the sender"],
  ["RCPT", "550 5.1.1 User unknown", "does not take emails to this address"],
])(
  "SETUP-5: a mail server that refuses %s is explained, with its own words and without the password",
  async (verb, words, sentence) => {
    const said = await explain(
      await startSmtp((line) => (line.startsWith(verb) ? words : /^AUTH/.test(line) ? "235 welcome" : undefined)),
    );
    expect(said).toContain(sentence);
    expect(said).toContain(`It said: ‘${words}’`);
    expect(said).not.toMatch(/very-secret|user:/);
  },
);

test("SETUP-5: a port where nothing listens, and one that says nothing, are told apart", async () => {
  const url = await startSmtp(() => undefined);
  await new Promise((resolve) => servers.splice(0)[0]!.close(resolve));
  expect(await explain(url)).toMatch(/^No connection to a mail server at 127\.0\.0\.1:\d+: check host and port/);
  const silent = createServer(() => undefined);
  servers.push(silent);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  expect(await explain(`smtp://127.0.0.1:${port}`)).toContain("did not answer in time");
});

test("SETUP-5: an answer is quoted on one line, cut to a length, and an address without a port gets the usual one", () => {
  const response = `550 no\r\n${"x".repeat(500)}`;
  const said = explainMailError({ code: "EMESSAGE", responseCode: 550, response }, "smtps://mail.charity.org.au");
  expect(said).toMatch(/^The mail server mail\.charity\.org\.au:465 refused the email\. It said: ‘550 no x+…’$/);
  expect(said.length).toBeLessThan(400);
  expect(whereOf("smtp://a:b@mail.charity.org.au")).toBe("mail.charity.org.au:587");
});
