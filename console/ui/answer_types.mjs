/** Writes to stdout the types of the API's answers, from the API's OpenAPI description on stdin (`make answers`). */
import { compile } from "json-schema-to-typescript";
import { text } from "node:stream/consumers";
import { format, resolveConfig } from "prettier";

const HTTP_OK = /^2\d\d$/;
const api = JSON.parse(await text(process.stdin));
const schemas = api.components.schemas;
const wanted = new Map();

/** Take a part of an answer's schema: with the schemas that it names, and in the words of draft 7. */
function take(part) {
  if (Array.isArray(part)) return part.map(take);
  if (part === null || typeof part !== "object") return part;
  if (part.$ref) {
    const schema = part.$ref.split("/").at(-1);
    // A type that is a body, too, and written otherwise there.
    const name = schema.replace(/-Output$/, "");
    if (!wanted.has(name)) {
      wanted.set(name, null);
      wanted.set(name, take(schemas[schema]));
    }
    return { $ref: `#/definitions/${name}` };
  }
  // A type for each title would be a type for each field.
  const { title, default: _, prefixItems, properties, ...rest } = part;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, take(each)])),
    ...(prefixItems ? { items: take(prefixItems) } : {}),
    // A field with a default may be missing in a body, and never in an answer.
    ...(properties ? { properties: fields(properties), required: Object.keys(properties) } : {}),
  };
}

const fields = (properties) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, take(each)]));

for (const operations of Object.values(api.paths))
  for (const { responses } of Object.values(operations))
    for (const [status, { content = {} }] of Object.entries(responses))
      if (HTTP_OK.test(status)) take(content["application/json"]?.schema);

const definitions = Object.fromEntries([...wanted].sort(([one], [other]) => (one < other ? -1 : 1)));
const made = await compile({ definitions }, "Answers", {
  additionalProperties: false,
  bannerComment:
    "/** The answers of the console's API. `make answers` writes this file from console/api/answers.py. */",
  format: false,
  ignoreMinAndMaxItems: true,
  unreachableDefinitions: true,
});
const told = made
  .replace(/ \* *\n \* This interface was referenced by .*\n \* via the `definition` .*\n/g, "")
  .replace(/\/\*\*\n \* This interface was referenced by .*\n \* via the `definition` .*\n \*\/\n/g, "")
  .replace(/export interface Answers \{[^}]*\}\n/, "");
const file = "src/answers.ts";
process.stdout.write(await format(told, { ...(await resolveConfig(file)), filepath: file }));
