/** Checks a value against a schema of Stripe's OpenAPI document: for missing fields, wrong types and unknown fields. */

export type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};

export type OpenApi = {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fitsType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return typeof value === type;
}

const named = (api: OpenApi, schema: Schema): Schema =>
  schema.$ref ? (api.components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}) : schema;

/** Empty when it matches. Paths have no indexes, so that each difference is listed once. */
export function faultsOf(api: OpenApi, given: Schema, value: unknown, at: string): string[] {
  const schema = named(api, given);
  if (value === null)
    return schema.nullable || given.nullable || (schema.enum?.includes('') ?? false) ? [] : [`${at}: null`];
  if (schema.anyOf) {
    const tries = schema.anyOf
      .map((each) => ({ each: named(api, each), faults: faultsOf(api, each, value, at) }))
      .sort((one, other) => one.faults.length - other.faults.length);
    // The variant named by the object is more informative than the closest match.
    const own = isRecord(value)
      ? tries.find(({ each }) => each.properties?.object?.enum?.includes(value.object))
      : undefined;
    return (own ?? tries[0])?.faults ?? [];
  }
  if (schema.type && !fitsType(value, schema.type)) return [`${at}: ${typeof value}, not ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at}: '${String(value)}'`];
  if (Array.isArray(value)) return value.flatMap((each) => faultsOf(api, schema.items ?? {}, each, `${at}[]`));
  if (!isRecord(value)) return [];
  // An object is named by its kind, wherever it occurs.
  const place = typeof value.object === 'string' && value.object !== 'list' ? value.object : at;
  const missing = (schema.required ?? [])
    .filter((name) => value[name] === undefined)
    .map((name) => `${place}.${name}: missing`);
  const inner = Object.entries(value).flatMap(([name, each]) => {
    const known = schema.properties?.[name];
    if (known) return faultsOf(api, known, each, `${place}.${name}`);
    if (isRecord(schema.additionalProperties))
      return faultsOf(api, schema.additionalProperties, each, `${place}.${name}`);
    return schema.properties && schema.additionalProperties !== true && Object.keys(schema.properties).length > 0
      ? [`${place}.${name}: not known`]
      : [];
  });
  return [...missing, ...inner];
}

/** The body of every 4xx and 5xx: the same for all operations. */
export function errorSchemaOf(api: OpenApi): Schema {
  const schema = api.components.schemas.error;
  if (!schema) throw new Error('the document has no schema of errors');
  return schema;
}

/** The successful response of a path. */
export function schemaOf(
  api: OpenApi,
  method: string,
  path: string,
): { readonly template: string; readonly schema: Schema } | null {
  const parts = path.split('/');
  const fitting = Object.keys(api.paths)
    .filter((template) => {
      const names = template.split('/');
      return (
        names.length === parts.length &&
        names.every((name, index) => name.startsWith('{') || name === parts[index]) &&
        api.paths[template]?.[method.toLowerCase()]
      );
    })
    .sort((one, other) => one.split('{').length - other.split('{').length)[0];
  const schema =
    fitting === undefined
      ? undefined
      : api.paths[fitting]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.schema;
  return fitting !== undefined && schema ? { template: fitting, schema } : null;
}
