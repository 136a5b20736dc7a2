import { z } from "zod";
import { Nothing, type Route } from "#shared/contract/route.ts";
import { moneyOutcomes } from "#shared/errors.ts";

/**
 * What OpenAPI says of a route, from the schemas that validate it (API-10). Renaming codecs describe their wire side
 * only, hence `io: "input"`. Fastify itself neither validates nor serialises with these.
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
      ...(status === "false" ? { error: { type: "string", description: "A stable name of the problem" } } : {}),
      ...(status === "false" && takesPayment
        ? { money: { type: "string", enum: moneyOutcomes, description: "What became of the payer's money" } }
        : {}),
      data: described,
    },
  });
  const fields = { type: "object", additionalProperties: { type: "array", items: { type: "string" } } };
  return {
    summary,
    ...((params as unknown) === Nothing ? {} : { params: onWire(params) }),
    ...((query as unknown) === Nothing ? {} : { querystring: onWire(query) }),
    ...(method === "GET" ? {} : { body: files === undefined ? onWire(body) : withFiles(onWire(body), files) }),
    ...(files === undefined ? {} : { consumes: ["multipart/form-data"] }),
    response: {
      200: { description: "Done", ...envelope(onWire(data), "true") },
      "4xx": { description: "Refused; for 422 `data` is {field: [messages]}", ...envelope(fields, "false") },
    },
  };
}

function withFiles(described: object, files: Readonly<Record<string, string>>) {
  const { properties = {}, required = [] } = described as { properties?: object; required?: string[] };
  const parts = Object.keys(files).map((name) => [name, { type: "string", format: "binary" }]);
  return {
    ...described,
    properties: { ...properties, ...Object.fromEntries(parts) },
    required: [...required, ...Object.keys(files)],
  };
}
