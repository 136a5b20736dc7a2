import { z } from "zod";
import { Nothing, type Route } from "#shared/contract/route.ts";
import { moneyOutcomes } from "#shared/errors.ts";
import { MULTIPART } from "./uploads.ts";

/**
 * A route for OpenAPI, from the schemas that validate it (API-10). `io: "input"`, because renaming codecs describe only
 * their wire side. Fastify itself neither validates nor serialises with these. Describing all calls takes a tenth of a
 * second, so it waits until somebody reads the description.
 */
export function describeRoute({ summary, params, query, body, data, method, files, ...route }: Route) {
  const envelope = describeEnvelope(route);
  return {
    summary,
    ...(Object.is(params, Nothing) ? {} : { params: onWire(params) }),
    ...(Object.is(query, Nothing) ? {} : { querystring: onWire(query) }),
    ...(Object.is(body, Nothing) ? {} : { body: files === undefined ? onWire(body) : withFiles(onWire(body), files) }),
    ...(files === undefined ? {} : { consumes: [MULTIPART] }),
    response: {
      200: { description: "Done", ...envelope.success(onWire(data)) },
      ...(route.takesPayment && {
        202: { description: "The outcome is not known yet", ...envelope.refusal(onWire(data)) },
      }),
      "4xx": {
        description: "Refused; for 422 `data` is {field: [messages]}",
        ...envelope.refusal(route.takesPayment ? { anyOf: [onWire(data), fields] } : fields),
      },
    },
  };
}

const onWire = (schema: z.ZodType) => {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return described;
};

const text = { type: "string" };
const fields = { type: "object", additionalProperties: { type: "array", items: text } };

function describeEnvelope({
  beside,
  successCode,
  takesPayment,
}: Pick<Route, "beside" | "successCode" | "takesPayment">) {
  const describe = (properties: object, required: string[]) => ({
    type: "object",
    properties: { message: text, ...properties },
    required: ["code", "status", "message", ...required],
  });
  const code = { ...text, description: "The HTTP status as text" };
  return {
    success: (data: object) =>
      describe(
        {
          code: successCode === "number" ? { type: "integer", enum: [200] } : code,
          status: { ...text, enum: ["true"] },
          data,
          ...(beside !== undefined && { [beside]: text }),
        },
        ["data"],
      ),
    refusal: (data: object) =>
      describe(
        {
          code,
          status: { ...text, enum: ["false"] },
          error: { ...text, description: "A stable name of the problem" },
          ...(takesPayment && {
            money: { ...text, enum: moneyOutcomes, description: "What happened to the payer's money" },
          }),
          data,
        },
        ["error"],
      ),
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
