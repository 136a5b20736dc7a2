import { z } from "zod";
import { Nothing, type Route } from "#shared/contract/route.ts";
import { moneyOutcomes } from "#shared/errors.ts";
import { MULTIPART } from "./uploads.ts";

/**
 * A route for OpenAPI, from the schemas that validate it (API-10). `io: "input"`, because renaming codecs describe only
 * their wire side. Fastify itself neither validates nor serialises with these. Describing all calls takes a tenth of a
 * second, so it waits until somebody reads the description.
 */
export function describeRoute({ summary, params, query, body, data, method, files, takesPayment }: Route) {
  const onWire = (schema: z.ZodType) => {
    const { $schema, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return described;
  };
  const envelope = (described: object, status: string) => ({
    type: "object",
    properties: {
      code: { type: "string", description: "The HTTP status as text" },
      status: { type: "string", enum: [status] },
      message: { type: "string" },
      ...(status === "true" ? besideData : {}),
      ...(status === "false" ? { error: { type: "string", description: "A stable name of the problem" } } : {}),
      ...(status === "false" && takesPayment
        ? { money: { type: "string", enum: moneyOutcomes, description: "What happened to the payer's money" } }
        : {}),
      data: described,
    },
  });
  const fields = { type: "object", additionalProperties: { type: "array", items: { type: "string" } } };
  return {
    summary,
    ...(Object.is(params, Nothing) ? {} : { params: onWire(params) }),
    ...(Object.is(query, Nothing) ? {} : { querystring: onWire(query) }),
    ...(method === "GET" ? {} : { body: files === undefined ? onWire(body) : withFiles(onWire(body), files) }),
    ...(files === undefined ? {} : { consumes: [MULTIPART] }),
    response: {
      200: { description: "Done", ...envelope(onWire(data), "true") },
      "4xx": { description: "Refused; for 422 `data` is {field: [messages]}", ...envelope(fields, "false") },
    },
  };
}

/** The fields beside `data` that some calls have (API-7). */
const besideData = {
  next: { type: "string", description: "If a list goes on: what to send as `after` for its next part" },
  url: { type: "string", description: "The link, if the call creates one" },
  clientToken: { type: "string", description: "The token of `/generateToken`" },
};

function withFiles(described: object, files: Readonly<Record<string, string>>) {
  const { properties = {}, required = [] } = described as { properties?: object; required?: string[] };
  const parts = Object.keys(files).map((name) => [name, { type: "string", format: "binary" }]);
  return {
    ...described,
    properties: { ...properties, ...Object.fromEntries(parts) },
    required: [...required, ...Object.keys(files)],
  };
}
