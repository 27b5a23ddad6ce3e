/** The OpenAPI 3.1 document, generated from the same zod schemas that validate requests. */
import * as z from 'zod';
import { openToKeys } from '../auth/keyScope.ts';
import { AcceptedResponse } from '../contract/accepted.ts';
import { ErrorBody } from '../contract/errors.ts';
import { STATUS_OF_CODE } from '../request/errors.ts';
import type { AnyRoute } from '../routing/route.ts';
import { COMPONENTS } from './components.ts';
import { descriptionFor } from './description.ts';
import { parameterText, withTexts } from './fieldTexts.ts';

type Json = { readonly [key: string]: unknown };

const REASONS: Readonly<Record<number, string>> = {
  400: 'Invalid input; every problem is in `issues`',
  401: 'No session, or the credentials are wrong',
  402: 'Not enough audits left, or the payment was refused',
  403: 'Not allowed',
  404: 'Not found, or not yours',
  409: 'Conflicts with the current state',
  413: 'Body too large',
  414: 'Path or query too long',
  415: 'Body is not JSON',
  422: 'Refused by a rule',
  429: 'Too many requests; see Retry-After',
  431: 'Headers too large',
  503: 'Busy, shutting down, or the payment provider is unreachable; see Retry-After',
};

const SECURITY_SCHEMES = {
  session: { type: 'http', scheme: 'bearer', description: 'The access token of log-in' },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key (`seo_live_…`), with the scope `read` or `write`; those of analysts open only reports, or also anonymized events',
  },
};

/** @param prefix prefix of every path, `/api/v1` */
export function openApiDocument(
  routes: readonly AnyRoute[],
  prefix: string,
  info: { readonly version: string; readonly appUrl: string },
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = `${prefix}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'SEO Workbench',
      version: info.version,
      description: descriptionFor(info.appUrl),
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: { schemas: componentsOf(paths), securitySchemes: SECURITY_SCHEMES },
  };
}

const tagOf = (route: AnyRoute): string => route.path.split('/')[1] ?? '';

function operation(route: AnyRoute): Json {
  const secured = route.access !== 'public';
  const keyed = secured && route.method !== 'GET' && !route.secret;
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Repeating a request with the same key and body returns the same answer; it is carried out once',
    schema: { type: 'string', maxLength: 255 },
  };
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^A-Za-z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: route.summary,
    tags: [tagOf(route)],
    ...(secured
      ? { security: openToKeys(route) || route.openToAnalysts ? [{ session: [] }, { apiKey: [] }] : [{ session: [] }] }
      : {}),
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...(keyed ? [idempotencyKey] : []),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: refTo(route.body, 'input'),
                ...(route.example ? { example: route.example } : {}),
              },
            },
          },
        }
      : {}),
    responses: {
      [route.status ?? 200]: {
        description: 'Done',
        content: contentOf(route),
      },
      ...(route.answerMayLag ? { 202: accepted() } : {}),
      ...Object.fromEntries(
        failuresOf(route).map((status) => [
          status,
          {
            description: REASONS[status] ?? 'Refused',
            content: { 'application/json': { schema: refTo(ErrorBody, 'output') } },
          },
        ]),
      ),
    },
  };
}

/** Only without an Idempotency-Key: with one it is 503 NOT_SHOWN_YET. */
const accepted = (): Json => ({
  description:
    'Done, and shown in a moment at `Location`. With an Idempotency-Key: 503, until the same key gets the answer',
  headers: { Location: { description: 'Where it will be shown', schema: { type: 'string' } } },
  content: { 'application/json': { schema: refTo(AcceptedResponse, 'output') } },
});

function failuresOf(route: AnyRoute): number[] {
  const statuses = (route.refusals ?? []).map((code) => STATUS_OF_CODE[code] ?? 422);
  if (route.params || route.query) statuses.push(414);
  // An id that nothing can have.
  if (route.params) statuses.push(404);
  if (route.body) statuses.push(413, 415);
  if (route.access !== 'public') statuses.push(401);
  if (route.access !== 'public' && route.method !== 'GET') statuses.push(409);
  if (route.access === 'admin' || (route.access !== 'public' && (route.method !== 'GET' || !openToKeys(route))))
    statuses.push(403);
  if (route.access.startsWith('owner')) statuses.push(404);
  return [...new Set([...statuses, 400, 429, 431, 503])].sort();
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const json = z.toJSONSchema(schema, { io: 'output' }) as { properties?: Record<string, Json>; required?: string[] };
  const required = place === 'path' ? Object.keys(json.properties ?? {}) : (json.required ?? []);
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const description = parameterText(COMPONENTS.get(schema)?.id, name);
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: property,
    };
  });
}

function refTo(schema: z.ZodType, io: 'input' | 'output'): Json {
  const id = COMPONENTS.get(schema)?.id;
  if (id) return refOf(id);
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io }) as Record<string, unknown>;
  return json;
}

const refOf = (id: string): Json => ({ $ref: `#/components/schemas/${id}` });

/** The named schemas that the paths reference, directly or indirectly. */
function componentsOf(paths: Json): Json {
  const { schemas } = z.toJSONSchema(COMPONENTS, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  const reached = new Set<string>();
  function collect(json: unknown): void {
    for (const [, id = ''] of JSON.stringify(json).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (reached.has(id)) continue;
      reached.add(id);
      const { $id: _, ...schema } = schemas[id] ?? {};
      collect(schema);
    }
  }
  collect(paths);
  return Object.fromEntries(
    [...reached].sort().map((id) => {
      const { $schema: _, $id: __, ...schema } = schemas[id] ?? {};
      return [id, withTexts(schema, id)];
    }),
  );
}

/** Bodies of a success, by type. */
function contentOf({ sendsFiles, response }: AnyRoute): Json {
  const schema = refTo(response, 'output');
  const file = { 'application/octet-stream': {} };
  if (sendsFiles === 'csv') return { 'application/octet-stream': { schema } };
  if (sendsFiles === 'ndjson') return { 'application/x-ndjson': { schema } };
  if (sendsFiles === 'ndjson-or-csv') return { 'application/x-ndjson': { schema }, ...file };
  return { 'application/json': { schema }, ...(sendsFiles ? file : {}) };
}
