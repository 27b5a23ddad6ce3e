import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientMessage } from '../../src/http/contract/realtime.ts';
import { COMPONENTS } from '../../src/http/openApi/components.ts';
import { PARAMETER_TEXTS, SCHEMA_TEXTS } from '../../src/http/openApi/fieldTexts.ts';
import { openApiDocument } from '../../src/http/openApi/openApi.ts';
import { DEFAULT_RATE_LIMITS } from '../../src/http/request/rateLimits.ts';
import { ROUTES } from '../../src/http/routes/all.ts';
import { CLOSE } from '../../src/model/socket.ts';
import { startTestApp, type TestApp } from '../given/product/http.ts';

type Operation = {
  operationId: string;
  security?: unknown;
  parameters: { name: string; in: string; required: boolean; description?: string }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
};
// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at many depths.
type OpenApi = any;

let app: TestApp;
let document: OpenApi;
beforeAll(async () => {
  app = await startTestApp();
  document = (await app.call('GET', '/api/openapi.json')).body;
});
afterAll(() => app.close());

const operationOf = (method: string, path: string): Operation =>
  document.paths[`/api/v1${path}`]?.[method.toLowerCase()];

describe('the OpenAPI document', () => {
  it('has version 3.1 and is the same on every start', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    const again = openApiDocument(ROUTES, '/api/v1', app.deps.config);
    expect(JSON.parse(JSON.stringify(again))).toEqual(document);
  });

  it('explains the websocket and the rate limits with the numbers that hold', () => {
    const { description } = document.info;
    expect(description).toContain(`Origin: ${new URL(app.deps.config.appUrl).origin}`);
    for (const { points } of [DEFAULT_RATE_LIMITS.apiKey, DEFAULT_RATE_LIMITS.user, DEFAULT_RATE_LIMITS.submit])
      expect(description).toContain(`${points} `);
    for (const code of Object.values(CLOSE)) expect(description).toContain(String(code));
    for (const option of ClientMessage.options) expect(description).toContain(`"type":"${option.shape.type.value}"`);
  });

  it('says what each parameter of the lists means, and what is not obvious in the answers', () => {
    const unsaid = ROUTES.filter((route) => route.access !== 'admin' || route.openToAnalysts).flatMap((route) =>
      operationOf(route.method, route.path)
        .parameters.filter(({ in: place, description }) => place === 'query' && !description)
        .map(({ name }) => `${route.path} ${name}`),
    );
    expect(unsaid).toEqual([]);
    const { JobView, CreateShareRequest, Transaction, CauseView } = document.components.schemas;
    expect(CauseView.properties.optional.description).toContain('no score points');
    expect(JobView.properties.created_at.description).toContain('UTC');
    expect(CreateShareRequest.properties.expiresIn.description).toContain('Hours');
    expect(Transaction.properties.amount.description).toContain('cents');
    expect(operationOf('GET', '/jobs').parameters[0]).toMatchObject({
      name: 'limit',
      description: expect.stringContaining('Default: 100'),
    });
  });

  it('explains no field that does not exist', () => {
    const texts = JSON.stringify(document.components.schemas);
    expect(Object.values(SCHEMA_TEXTS).filter((text) => !texts.includes(JSON.stringify(text)))).toEqual([]);
    const parameters = JSON.stringify(document.paths);
    const generic = ['limit', 'order'];
    expect(
      Object.entries(PARAMETER_TEXTS).filter(
        ([name, text]) => !generic.includes(name) && !parameters.includes(JSON.stringify(text)),
      ),
    ).toEqual([]);
  });

  it('has every route and no other', () => {
    const documented = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} /api/v1${path}`).sort());
  });

  it('describes access, input and output of each route', () => {
    for (const route of ROUTES) {
      const operation = operationOf(route.method, route.path);
      const where = `${route.method} ${route.path}`;
      expect(operation.security !== undefined, where).toBe(route.access !== 'public');
      expect(operation.requestBody !== undefined, where).toBe(route.body !== undefined);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect(inPath, where).toEqual(route.path.match(/\{\w+\}/g) ?? []);
      expect(
        operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
        where,
      ).toBe(route.access !== 'public' && route.method !== 'GET' && !route.secret);
      expect(Object.keys(operation.responses), where).toContain(String(route.status ?? 200));
      if (route.access !== 'public') expect(Object.keys(operation.responses), where).toContain('401');
      if (route.access.startsWith('owner')) expect(Object.keys(operation.responses), where).toContain('404');
    }
    const ids = ROUTES.map((route) => operationOf(route.method, route.path).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names every body and answer', () => {
    const unnamed = ROUTES.flatMap(({ method, path, body, response }) =>
      [body, response].flatMap((schema) =>
        schema === undefined || COMPONENTS.has(schema) ? [] : [`${method} ${path}`],
      ),
    );
    expect(unnamed).toEqual([]);
  });

  it('has no broken references', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(refs.length).toBeGreaterThan(40);
    for (const ref of refs) {
      const target = ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<OpenApi>((node, part) => node?.[part], document);
      expect([ref, target !== undefined]).toEqual([ref, true]);
    }
    const used = new Set(refs);
    for (const name of Object.keys(document.components.schemas))
      expect([name, used.has(`#/components/schemas/${name}`)]).toEqual([name, true]);
  });

  it('describes a job as it is sent', () => {
    const { JobView } = document.components.schemas;
    expect(JobView.required).toEqual(expect.arrayContaining(['id', 'status', 'progress', 'can', 'position']));
    expect(JobView.properties.stages.items.$ref).toBe('#/components/schemas/JobStage');
    expect(operationOf('GET', '/jobs').parameters.map(({ name }) => name)).toEqual(['limit', 'cursor']);
  });
});

describe('its page', () => {
  it('comes from this server, with nothing inline', async () => {
    const page = await app.call('GET', '/api/docs');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|style=|\son\w+=|https?:\/\//);
    for (const [, path] of page.text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)) {
      const asset = await app.call('GET', path!);
      expect([path, asset.status, asset.text.length > 50]).toEqual([path, 200, true]);
    }
    expect((await app.call('GET', '/api/docs/init.js')).headers.get('content-type')).toMatch(/javascript/);
  });

  it('links back, has its own landmarks, and uses the app’s theme', async () => {
    const { text } = await app.call('GET', '/api/docs');
    expect(text).toContain('<nav aria-label="Main"><a href="/account/api">');
    expect(text).toContain('<main id="docs"');
    expect((await app.call('GET', '/api/docs/theme.js')).text).toContain("toggle('dark-mode'");
  });

  it('serves no other file of the library', async () => {
    for (const file of ['package.json', 'index.html', '../koa/package.json', '..%2fkoa%2fpackage.json'])
      expect((await app.call('GET', `/api/docs/${file}`)).status).toBe(404);
  });
});
