/**
 * What people wrote, and what identifies them, is nowhere once their account is deleted: a text is planted in every
 * field for free text of every type of event that an account leaves behind.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { classifiedFields } from '../../src/domain/stored/catalogue/fieldClasses.ts';
import { storedFields } from '../../src/domain/stored/catalogue/storedFields.ts';
import { STREAM_KINDS, type StreamKindName } from '../../src/domain/stored/catalogue/streamKinds.ts';
import type { EventType } from '../../src/domain/stored/eventOf.ts';
import { STORED } from '../../src/domain/stored/registry.ts';
import { withMaskedReasons } from '../../src/history/maskedReasons.ts';
import { REPORTS } from '../../src/reports/all.ts';
import { createDeletedAccounts } from '../../src/work/followers/deletedAccounts.ts';
import { createDeletedJobs } from '../../src/work/followers/deletedJobs.ts';
import { createTruncations } from '../../src/work/followers/truncations.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { product } from '../given/commands.ts';
import { ownedOf } from '../given/leaver.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { asOfIf, followLog } from '../given/work/following.ts';

const OF_ACCOUNTS: readonly StreamKindName[] = [
  'account',
  'session',
  'job',
  'crawl',
  'report',
  'page-records',
  'plan',
  'shares',
  'billing',
  'billing-notes',
  'log-in',
  'api-keys',
  'webhook-delivery',
  'prompt-trial',
  'exports',
];
/** Written by admins for everybody: kept when one of them leaves. */
const OF_THE_INSTALLATION: readonly StreamKindName[] = ['sequence', 'prompt'];
/** Outlives the account: its only text is the product's own. */
const OF_THE_PRODUCT: readonly StreamKindName[] = ['rework'];
/** What opens a stream, by which the read models list it, and the reservation, which names the job. */
const isNeeded = (type: string, nth: number): boolean => nth === 0 || type === 'AnalysisReserved';

const PLANTED = /planted/i;
const freeFields = (type: EventType): readonly string[] =>
  classifiedFields(type)
    .filter((field) => field.class === null || field.class === 'text' || field.class === 'personal')
    .map(({ path }) => path);

const AT = '2026-03-10T12:00:00.000Z';
const TEXT = 'planted text';
const EMAIL = 'planted@example.com';

/** The least value of this shape; with a path, one that has this field, and the text in it. */
function least(schema: z.core.$ZodType, name: string, path: readonly string[] | null): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).flatMap(([key, field]) => {
          const within = path?.[0] === key ? path.slice(1) : null;
          const isLeftOut = within === null && (field as z.core.$ZodTypes)._zod.def.type === 'optional';
          return isLeftOut ? [] : [[key, least(field, key, within)]];
        }),
      );
    case 'array':
      return path === null ? [] : [least(def.element, name, path)];
    case 'union': {
      const option = def.options.find((each) => path === null || hasField(each, path)) ?? def.options[0];
      return option && least(option, name, path);
    }
    case 'optional':
    case 'readonly':
      return least(def.innerType, name, path);
    case 'nullable':
      return path === null ? null : least(def.innerType, name, path);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'number':
      // The first part of one.
      return name === 'part' ? 0 : 1;
    case 'boolean':
      return false;
    case 'record':
      return {};
    default:
      if (path !== null) return /email/i.test(name) ? EMAIL : TEXT;
      if (name.endsWith('Id')) return `${name}-1`;
      if (name === 'name' || name === 'file') return 'findings.json';
      return 'format' in def && def.format === 'datetime' ? AT : 'usd';
  }
}

const hasField = (schema: z.core.$ZodType, path: readonly string[]): boolean =>
  storedFields(schema as z.ZodType).some((field) => field.path === path.join('.') && field.kind === 'text');

/** One for each field for free text; of what has none, one for itself. */
const events = STREAM_KINDS.filter(({ kind }) => OF_ACCOUNTS.includes(kind) || kind === 'webhooks').flatMap(
  ({ prefix, about, types }) =>
    (Object.keys(types) as EventType[]).flatMap((type, nth) => {
      const free = freeFields(type).map((field) => field.split('.'));
      const paths = free.length === 0 && isNeeded(type, nth) ? [null] : free;
      return paths.map((path) => {
        const data = least(STORED[type].schema, '', path) as Record<string, unknown>;
        return { stream: `${prefix}${String(data[about ?? ''] ?? `${about}-1`)}`, type, data, path };
      });
    }),
);
const userId = 'userId-1';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signUp();
  const made = product(app.store);
  for (const { stream, type, data } of events) await app.given(stream, { type, data } as never);
  expect((await documentsWithTexts()).length).toBeGreaterThan(10);
  await deleteAccount(made.context(), { userId });
  const snapshots = { remove: async () => undefined };
  for (const follower of [
    createDeletedAccounts({
      context: made.context,
      owned: ownedOf(made),
      asOf: asOfIf(true),
      mailer: null,
      snapshots,
    }),
    createDeletedJobs({ context: made.context }),
    createTruncations({ store: app.store }),
  ])
    await followLog(app.store, follower);
  await app.projector.pause();
  await app.projector.resume();
});
afterAll(() => app.close());

type Kept = { readonly model: string; readonly document: object };

async function documentsWithTexts(): Promise<readonly Kept[]> {
  const all = READ_MODELS.map(async ({ name: model }) =>
    Object.values(await documentsOf(app.readModels, model)).map((document) => ({ model, document })),
  );
  return (await Promise.all(all)).flat().filter(({ document }) => PLANTED.test(JSON.stringify(document)));
}

describe('the texts of a deleted account', () => {
  it('were planted everywhere', () => {
    const kinds = STREAM_KINDS.filter(({ types }) =>
      (Object.keys(types) as EventType[]).some((type) => freeFields(type).length > 0),
    );
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(
      [...OF_ACCOUNTS, ...OF_THE_INSTALLATION, ...OF_THE_PRODUCT].toSorted(),
    );
    const bare = events.filter(({ path, data }) => path !== null && !PLANTED.test(JSON.stringify(data)));
    expect(bare.map(({ type, path }) => `${type}.${path}`)).toEqual([]);
    expect(events.length).toBeGreaterThan(80);
  });

  it('are not in the log, except for the reasons of earlier versions, which whoever reads sees masked', async () => {
    const raw = await app.store.readAll({ limit: 1_000 });
    const left = raw.events.filter(({ data }) => PLANTED.test(JSON.stringify(data)));
    expect([...new Set(left.map(({ type }) => type))]).toEqual(['CreditsGranted']);
    const masked = await withMaskedReasons(app.store).readAll({ limit: 1_000 });
    expect(JSON.stringify(masked.events.map(({ data }) => data))).not.toMatch(PLANTED);
  });

  it('are in no document of a read model, except for these reasons', async () => {
    for (const { model, document } of await documentsWithTexts())
      expect([model, document]).toMatchObject(['billing', { kind: 'change', type: 'CreditsGranted' }]);
  });

  it.each([
    ...[...new Set(events.map(({ stream }) => stream))].flatMap((stream) => [
      `history/streams/${stream}`,
      `history/streams/${stream}/export`,
    ]),
    `history/past/bills/${userId}?at=${AT}`,
    `users/${userId}/history`,
    'ledger',
    `ledger?search=${userId}`,
    'ledger/export?format=csv',
    'ledger/export?format=ndjson',
    ...REPORTS.map(({ name }) => `reports/${name}`),
  ])('are not in what admins see at %s', async (path) => {
    const { status, text } = await admin.call('GET', `/api/v1/admin/${path}`);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(PLANTED);
  });
});
