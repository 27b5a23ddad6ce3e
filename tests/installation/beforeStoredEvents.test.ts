/**
 * A log from the last version before stored events had a registry: the product opens it, builds its read models, and
 * gives the same answers as that version.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { ascending } from '../../src/model/order.ts';
import { type ApiClient, logIn } from '../given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { verified } from '../given/stores/logFiles.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Contents = {
  readonly shareSecret: string;
  readonly users: Readonly<
    Record<
      string,
      { readonly email: string; readonly password: string; readonly answers: Readonly<Record<string, Json>> }
    >
  >;
  readonly shares: Readonly<Record<string, { readonly token: string; readonly status: number; readonly body: Json }>>;
};

const folder = new URL('../fixtures/beforeStoredEvents/', import.meta.url);
const contents = JSON.parse(readFileSync(new URL('answers.json', folder), 'utf8')) as Contents;

const data = temporaryData();
const file = join(data.dir, 'events.db');
/** The settings of the server that wrote the log. */
const ENV = { DEMO: 'false', FREE_ANALYSES_PER_MONTH: '5', APP_URL: 'http://127.0.0.1:3900' };
let server: BuiltServer;

beforeAll(() => {
  writeFileSync(file, gunzipSync(readFileSync(new URL('events.db.gz', folder))));
  writeFileSync(join(data.dir, 'share-secret'), contents.shareSecret, { mode: 0o600 });
});
afterAll(async () => {
  await server?.stop();
  data.remove();
});

const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Intentional differences. */
const CHANGED: readonly { readonly path: RegExp; readonly why: string }[] = [
  { path: /^\w+ \/\w+ \.position$/, why: 'the log has grown: opening it finishes what was pending' },
  { path: /^share \w+ \.data\.viewCount$/, why: 'this request is one more view' },
  { path: /^share \w+ \.data\.actions\[\d+\]\.job_id$/, why: 'visitors are not given the id of the job' },
  { path: /^\w+ \/subscription\/status \.data\.usage\.(used|periodEnd)$/, why: 'the month of the log is over' },
  { path: /^(ann|bob) \/actions\/stats /, why: 'only the unlocked items of a preview are counted' },
  {
    path: /^(ann|bob) \/jobs\/[^/]+\/files\/(seo-audit-report|action-items)\.md /,
    why: 'a preview is cut by its data, not by its headings',
  },
  { path: /^\w+ \/share\/list\/all .*shareUrl$/, why: 'a link that no longer opens is listed without its address' },
  { path: /^share preview \.data\.content\.Action Items$/, why: 'a preview is cut by its data, not by its headings' },
  {
    path: /\.(stats\.\w+|totalActionsAvailable|actionsShown|actionCount|actions?_count|total_actions|previewMode\.\w+)$/,
    why: 'what is optional counts only once it is a task',
  },
  {
    path: /^(admin .*\/action-items\.md \.sha256|share full \.data\.content\.Action Items)$/,
    why: 'what is optional stands below the tasks',
  },
];

/** The paths where an answer lost a value or has a different one. Fields may have been added since. */
function lost(then: Json, now: Json | undefined, path: string): readonly string[] {
  if (CHANGED.some((change) => change.path.test(path))) return [];
  if (Array.isArray(then) && Array.isArray(now) && then.length === now.length) {
    // What is optional moved to the end of the list.
    const [before, after] = path.endsWith('.actions') ? [byId(then), byId(now)] : [then, now];
    return before.flatMap((entry, n) => lost(entry, after[n], `${path}[${n}]`));
  }
  if (isRecord(then) && isRecord(now))
    return Object.entries(then).flatMap(([key, value]) => lost(value, now[key], `${path}.${key}`));
  return Object.is(then, now) ? [] : [`${path}: ${JSON.stringify(then)} -> ${JSON.stringify(now)}`];
}

const byId = (items: readonly Json[]): readonly Json[] =>
  items.toSorted((a, b) => ascending(JSON.stringify((a as { id: Json }).id), JSON.stringify((b as { id: Json }).id)));

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

async function answerOf(client: ApiClient, path: string): Promise<Json> {
  const { status, body } = await client.call<Json>('GET', `/api/v1${path}`);
  if (status !== 200) return status;
  if (!path.includes('/files/')) return body;
  return { sha256: hashed((body as { readonly data: { readonly content: string } }).data.content) };
}

describe('a log from before stored events', () => {
  it('holds only events that the registry knows', async () => {
    const raw = openSqliteEventStore({ file });
    try {
      expect(await verified(raw)).toMatchObject({ events: 225, chained: 0, found: [] });
    } finally {
      await raw.close();
    }
  });

  it('gets the same answers as from the version that wrote it', { timeout: 120_000 }, async () => {
    server = await startBuiltServer(data.dir, ENV);
    const found: string[] = [];
    for (const [name, { email, password, answers }] of Object.entries(contents.users)) {
      const client = await logIn(server.url, { email, password });
      for (const [path, then] of Object.entries(answers))
        found.push(...lost(then, await answerOf(client, path), `${name} ${path} `));
    }
    for (const [name, { token, status, body }] of Object.entries(contents.shares)) {
      const response = await fetch(`${server.url}/api/v1/share/${token}`);
      expect([name, response.status]).toEqual([name, status]);
      if (status === 200) found.push(...lost(body, (await response.json()) as Json, `share ${name} `));
    }
    expect(found).toEqual([]);
  });
});
