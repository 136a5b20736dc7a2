import { createServer, type Server, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mailboxRoutes } from "#dev/mailbox/mailbox-routes.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createMail, type EmailMessage } from "./mail.ts";

const email: EmailMessage = {
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

/** A minimal SMTP server that accepts emails, and refuses every recipient at no.example. */
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

test("REL-2: with a mail server emails are sent by SMTP, complete, with their own message id", async () => {
  const { url, taken, server } = await startSmtp();
  const mail = createMail({ database: db.database, smtpUrl: url, from, publicUrl: "https://give.chashma.example" });
  await mail.send(email);
  await expect(mail.send({ ...email, to: { name: "", address: "nobody@no.example" } })).rejects.toThrow(
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

test("REL-2: an unreachable mail server is an error, so that the job is retried", async () => {
  const { url, server } = await startSmtp();
  await new Promise((resolve) => server.close(resolve));
  const mail = createMail({ database: db.database, smtpUrl: url, from, publicUrl: "https://give.chashma.example" });
  await expect(mail.send(email)).rejects.toThrow();
});

test("R6: an email sent twice is in the mailbox once", async () => {
  await Promise.all([mailbox().send(email), mailbox().send(email)]);
  expect(await listed()).toHaveLength(1);
});

test("programs can list kept emails, newest first, and filter them by recipient", async () => {
  await mailbox().send(email);
  await mailbox().send({
    ...email,
    messageId: "<two@x>",
    to: { name: "", address: "two@example.com" },
    attachments: [],
  });
  const [newest, oldest] = await listed();
  expect(newest).toMatchObject({ to: "two@example.com", attachments: [] });
  expect(oldest).toMatchObject({
    messageId: email.messageId,
    to: "zoe@example.com",
    from,
    subject: email.subject,
    text: email.text,
    html: email.html,
    attachments: [
      { filename: "receipt.pdf", contentType: "application/pdf", bytes: email.attachments[0]!.content.length },
      {},
    ],
  });
  expect(await listed("?to=two@example.com")).toHaveLength(1);
});

test("attachments in the mailbox are identical to the byte", async () => {
  await mailbox().send(email);
  const [{ attachments }] = await listed();
  for (const [index, { content, contentType }] of email.attachments.entries()) {
    const response = await app.inject(attachments[index].url);
    expect(response.rawPayload.equals(content)).toBe(true);
    expect(response.headers["content-type"]).toContain(contentType);
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
  }
  expect((await app.inject(attachments[0].url.replace(/0$/, "7"))).statusCode).toBe(404);
});

test("S4: typed text never starts a new header", async () => {
  const evil = "Mallory\r\nBcc: all@example.com\r\n\r\n<h1>own body</h1>\u2028X: y";
  await mailbox().send({ ...email, to: { name: evil, address: "m@example.com" }, subject: `Hello ${evil}` });
  const { rows } = await db.pool.query<{ source: Buffer }>("select source from mailbox_messages");
  const [head = ""] = rows[0]!.source.toString("latin1").split("\r\n\r\n");
  expect(head.split("\r\n").filter((line) => /^(bcc|x):/i.test(line))).toEqual([]);
  expect(head.match(/^[\w-]+(?=:)/gm)?.sort()).toEqual(
    ["Auto-Submitted", "Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Subject", "To"].sort(),
  );
  for (const address of ["a@b.c\r\nBcc: d@e.f", "a@b.c, d@e.f", "<a@b.c>", "a b@c.d", "a@b@c", ""]) {
    await expect(mailbox().send({ ...email, to: { name: "", address } }), address).rejects.toThrow(
      "not a valid email address",
    );
  }
  await expect(mailbox().send({ ...email, messageId: "<a@b>\r\nX: y" })).rejects.toThrow("message id");
});

test("S4: the mailbox shows emails as text and their markup in a sandbox", async () => {
  await mailbox().send({ ...email, subject: "<script>alert(1)</script>", text: "</pre><script>alert(2)</script>" });
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
