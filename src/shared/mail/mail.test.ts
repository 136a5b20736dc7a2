import { createServer, type Server, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createMail, type Letter } from "./mail.ts";
import { mailboxRoutes } from "./mailbox-routes.ts";

const letter: Letter = {
  messageId: "<receipt-R-000001@chashma.example>",
  to: { name: "Zoë Ünal عبدالستار", address: "zoe@example.com" },
  subject: "Your receipt · رسید",
  text: "Dear Zoë,\n\nThank you.\n",
  html: "<html><head></head><body><p>Thank you, Zoë.</p></body></html>",
  attachments: [
    {
      filename: "receipt.pdf",
      contentType: "application/pdf",
      content: Buffer.from(`%PDF-1.7\n${"\x00\xff\r\n".repeat(999)}`, "latin1"),
    },
    { filename: 'a"b\r\nX: y.txt', contentType: "text/plain", content: Buffer.from("second") },
  ],
};
const from = "Chashma Foundation <no-reply@chashma.example>";

let db: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  db = await createTestDatabase();
  app = fastify();
  await app.register(mailboxRoutes, { database: db.database });
});
beforeEach(async () => {
  await db.pool.query("truncate mailbox_messages");
});
afterAll(async () => {
  await app.close();
  await db.stop();
});

const mailbox = () =>
  createMail({ database: db.database, smtpUrl: undefined, from, publicUrl: "http://127.0.0.1:3000" });
const listed = async (query = "") => (await app.inject(`/dev/mail.json${query}`)).json();

/** The least of an SMTP server: takes letters, and refuses every recipient at no.example. */
function startSmtp(): Promise<{ url: string; taken: string[]; server: Server }> {
  const taken: string[] = [];
  const server = createServer((socket) => serveSmtp(socket, taken));
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      resolve({ url: `smtp://127.0.0.1:${port}`, taken, server });
    }),
  );
}

function serveSmtp(socket: Socket, taken: string[]) {
  let pending = "";
  let data: string[] | null = null;
  socket.setEncoding("latin1");
  socket.on("error", () => undefined);
  socket.write("220 test ready\r\n");
  socket.on("data", (chunk: string) => {
    const lines = (pending + chunk).split("\r\n");
    pending = lines.pop()!;
    for (const line of lines) {
      if (data !== null && line !== ".") data.push(line);
      else if (data !== null) {
        taken.push(data.join("\r\n"));
        data = null;
        socket.write("250 taken\r\n");
      } else if (/^DATA/i.test(line)) {
        data = [];
        socket.write("354 go on\r\n");
      } else if (/^RCPT.*@no\.example/i.test(line)) socket.write("550 no such person\r\n");
      else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
      else socket.write("250 well\r\n");
    }
  });
}

test("REL-2: with a mail server letters go by SMTP, whole, under their own message id", async () => {
  const { url, taken, server } = await startSmtp();
  const mail = createMail({ database: db.database, smtpUrl: url, from, publicUrl: "https://give.chashma.example" });
  await mail.send(letter);
  await expect(mail.send({ ...letter, to: { name: "", address: "nobody@no.example" } })).rejects.toThrow(
    "no such person",
  );
  server.close();
  expect(taken).toHaveLength(1);
  const [head = ""] = taken[0]!.split("\r\n\r\n");
  expect(head).toContain("Message-ID: <receipt-R-000001@chashma.example>");
  expect(head).toContain("<zoe@example.com>");
  expect(head).toContain("Auto-Submitted: auto-generated");
  expect(taken[0]).toContain("Content-Type: application/pdf; name=receipt.pdf");
  expect(await listed()).toEqual([]);
});

test("REL-2: a mail server that is away is an error, so that the job comes back", async () => {
  const { url, server } = await startSmtp();
  await new Promise((resolve) => server.close(resolve));
  const mail = createMail({ database: db.database, smtpUrl: url, from, publicUrl: "https://give.chashma.example" });
  await expect(mail.send(letter)).rejects.toThrow();
});

test("R6: the same letter sent twice is one letter in the mailbox", async () => {
  await Promise.all([mailbox().send(letter), mailbox().send(letter)]);
  expect(await listed()).toHaveLength(1);
});

test("a kept letter is listed for programs, newest first, and can be asked for by recipient", async () => {
  await mailbox().send(letter);
  await mailbox().send({
    ...letter,
    messageId: "<two@x>",
    to: { name: "", address: "two@example.com" },
    attachments: [],
  });
  const [newest, oldest] = await listed();
  expect(newest).toMatchObject({ to: "two@example.com", attachments: [] });
  expect(oldest).toMatchObject({
    messageId: letter.messageId,
    to: "zoe@example.com",
    from,
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    attachments: [
      { filename: "receipt.pdf", contentType: "application/pdf", bytes: letter.attachments[0]!.content.length },
      {},
    ],
  });
  expect(await listed("?to=two@example.com")).toHaveLength(1);
});

test("attachments come out of the mailbox byte for byte", async () => {
  await mailbox().send(letter);
  const [{ attachments }] = await listed();
  for (const [index, { content, contentType }] of letter.attachments.entries()) {
    const response = await app.inject(attachments[index].url);
    expect(response.rawPayload.equals(content)).toBe(true);
    expect(response.headers["content-type"]).toContain(contentType);
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
  }
  expect((await app.inject(attachments[0].url.replace(/0$/, "7"))).statusCode).toBe(404);
});

test("S4: what a person typed never starts a header of its own", async () => {
  const evil = "Mallory\r\nBcc: all@example.com\r\n\r\n<h1>own body</h1>\u2028X: y";
  await mailbox().send({ ...letter, to: { name: evil, address: "m@example.com" }, subject: `Hello ${evil}` });
  const { rows } = await db.pool.query<{ source: Buffer }>("select source from mailbox_messages");
  const [head = ""] = rows[0]!.source.toString("latin1").split("\r\n\r\n");
  expect(head.split("\r\n").filter((line) => /^(bcc|x):/i.test(line))).toEqual([]);
  expect(head.match(/^[\w-]+(?=:)/gm)?.sort()).toEqual(
    ["Auto-Submitted", "Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Subject", "To"].sort(),
  );
  for (const address of ["a@b.c\r\nBcc: d@e.f", "a@b.c, d@e.f", "<a@b.c>", "a b@c.d", "a@b@c", ""]) {
    await expect(mailbox().send({ ...letter, to: { name: "", address } }), address).rejects.toThrow(
      "not an e-mail address",
    );
  }
  await expect(mailbox().send({ ...letter, messageId: "<a@b>\r\nX: y" })).rejects.toThrow("message id");
});

test("S4: the mailbox shows letters as text and shuts their markup into a sandbox", async () => {
  await mailbox().send({ ...letter, subject: "<script>alert(1)</script>", text: "</pre><script>alert(2)</script>" });
  const list = await app.inject("/dev/mail");
  expect(list.body).not.toContain("<script>");
  expect(list.body).not.toMatch(/ style=|<style/);
  expect(list.headers["content-security-policy"]).toContain("default-src 'none'");
  const [{ id }] = await listed();
  const page = await app.inject(`/dev/mail/${id}.html`);
  expect(page.headers["content-security-policy"]).toContain("sandbox");
  expect(page.headers["content-security-policy"]).not.toContain("script-src");
  expect(page.body).toContain("Thank you, Zoë.");
  expect((await app.inject("/dev/mail.css")).headers["content-type"]).toContain("text/css");
  for (const missing of ["/dev/mail/999999.html", "/dev/mail/x.html", "/dev/mail/1"]) {
    expect((await app.inject(missing)).statusCode, missing).toBe(404);
  }
});
