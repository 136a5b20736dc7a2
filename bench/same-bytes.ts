import { createServer, get } from "node:http";

/** The least that Node can do for a page: sends its headers and bytes as they are. `node bench/same-bytes.ts PORT URL` */
const [port, url = ""] = process.argv.slice(2);
get(url, { headers: { "accept-encoding": "br" } }, async (page) => {
  const { connection: _, "keep-alive": __, date: ___, ...others } = page.headers;
  const headers = Object.entries(others).flatMap(([name, value]) => [name, String(value)]);
  const body = Buffer.concat(await page.toArray()).toString("latin1");
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body, "latin1");
  });
  server.listen(Number(port), "127.0.0.1");
});
