import Fastify from "fastify";

/** The smallest server of the same kind, to compare everything with: `node bench/hello.ts PORT`. */
const app = Fastify();
app.get("/", async () => ({ hello: "world" }));
await app.listen({ port: Number(process.argv[2]), host: "127.0.0.1" });
