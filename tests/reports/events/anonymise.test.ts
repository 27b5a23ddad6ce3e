/** Personal data in an anonymized event: none of the planted values, and everything that analysts need. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { storedFields } from '../../../src/domain/stored/catalogue/storedFields.ts';
import { currentEvent } from '../../../src/domain/stored/current.ts';
import type { EventType } from '../../../src/domain/stored/eventOf.ts';
import type { EventMetadata } from '../../../src/domain/stored/metadata.ts';
import { STORED } from '../../../src/domain/stored/registry.ts';
import type { RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { createAnonymiser, PERSONAL, TEXT } from '../../../src/reports/events/anonymise.ts';
import { exportedEvent } from '../../../src/reports/events/exportedEvent.ts';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { product } from '../../given/commands.ts';
import { rowsOverHttp } from '../../given/product/eventExport.ts';
import { livedIn } from '../../given/product/livedIn.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { startTestSite } from '../../servers/testSite.ts';

const pseudonyms = createPseudonyms('a key of the test, long enough for one');
const anonymise = createAnonymiser(pseudonyms);
const ANN = 'c987d5b5-e271-4eb0-ba15-5a53460564cf';

function recorded(type: string, data: object, more: Partial<RecordedEvent> = {}): RecordedEvent {
  const metadata = metadataAt('2026-03-10T12:00:00.000Z', { kind: 'user', id: ANN });
  return {
    id: 'event-1',
    type,
    data,
    metadata,
    stream: `account-${ANN}`,
    revision: 0n,
    position: '00000000000000000001',
    ...more,
  };
}
const anonymous = (event: RecordedEvent) => anonymise(exportedEvent(event));

/** Every way out of the log: the rows of events, in order. */
const DOORS: readonly (readonly [
  door: string,
  rows: (events: readonly RecordedEvent[]) => Promise<readonly object[]>,
])[] = [
  ['in a file', async (events) => events.map(anonymous)],
  ['over HTTP', (events) => rowsOverHttp(events, pseudonyms)],
];
const at = (index: number): string => String(index + 1).padStart(20, '0');

/** All texts in a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
    : [];
}

describe('an anonymized event', () => {
  it('has the same pseudonym for the same thing everywhere, and joins by it', () => {
    const registered = anonymous(
      recorded('AccountRegistered', {
        userId: ANN,
        email: 'ann@example.com',
        name: 'Ann',
        passwordHash: 'x',
        registeredAt: 't',
      }),
    );
    const user = pseudonyms.id(ANN);
    expect(registered).toMatchObject({
      stream: `account-${user}`,
      stream_kind: 'account',
      actor_kind: 'user',
      actor_id: user,
    });
    expect(registered.data).toMatchObject({
      userId: user,
      email: PERSONAL,
      name: PERSONAL,
      passwordHash: '[redacted]',
      registeredAt: 't',
    });
    const cancelled = anonymous(
      recorded('JobCancelled', { jobId: 'j', userId: ANN, by: `user:${ANN}`, cancelledAt: 't' }, { stream: 'job-j' }),
    );
    expect(cancelled.data).toMatchObject({ userId: user, by: `user:${user}`, jobId: pseudonyms.id('j') });
    expect(cancelled.stream).toBe(`job-${pseudonyms.id('j')}`);
    const system = metadataAt('2026-03-10T12:00:00.000Z', { kind: 'system', id: 'operator', onBehalfOf: ANN });
    expect(anonymous(recorded('AccountDeleted', { userId: ANN, deletedAt: 't' }, { metadata: system }))).toMatchObject({
      actor_id: 'operator',
      on_behalf_of: user,
    });
  });

  it('has only a pseudonym of a site’s host', () => {
    const data = {
      jobId: 'j',
      userId: ANN,
      url: 'https://Ann-Smith.example:8443/about?x=1',
      host: 'ann-smith.example:8443',
      access: 'full',
      submittedAt: 't',
    };
    const { host, url, access } = anonymous(recorded('JobSubmitted', data)).data as Record<string, string>;
    expect(host).toMatch(/^site-[0-9a-f]{32}\.invalid$/);
    expect([url, access]).toEqual([`https://${host}/`, 'full']);
    expect(anonymous(recorded('JobSubmitted', { ...data, url: 'no address' })).data).toMatchObject({ url: TEXT });
  });

  it('keeps what counts: money, scores, codes, times, checks', () => {
    const paid = { invoiceId: 'in_1', paymentIntentId: null, amount: 2_900, currency: 'usd' };
    expect(
      anonymous(
        recorded('SubscriptionRenewed', { userId: ANN, subscriptionId: 'sub_1', price: 2_900, tier: 'tier1', paid }),
      ).data,
    ).toMatchObject({
      price: 2_900,
      tier: 'tier1',
      paid: { amount: 2_900, currency: 'usd', paymentIntentId: null, invoiceId: pseudonyms.id('in_1') },
    });
    expect(
      anonymous(
        recorded('JobFailed', {
          jobId: 'j',
          code: 'SITE_UNREACHABLE',
          reason: 'shop.example did not answer.',
          failedAt: 't',
        }),
      ).data,
    ).toMatchObject({
      code: 'SITE_UNREACHABLE',
      reason: TEXT,
    });
    expect(
      anonymous(
        recorded('PlanRegenerated', {
          jobId: 'j',
          by: 'AI',
          count: 1,
          items: [],
          kept: { new: 'old' },
          regeneratedAt: 't',
        }),
      ).data,
    ).toMatchObject({
      by: 'AI',
      kept: { [pseudonyms.id('new')]: pseudonyms.id('old') },
    });
  });

  it('never mistakes a word for a known one', () => {
    for (const code of ['ann@example.com', 'shop.example', 'Ann Smith'])
      expect(anonymous(recorded('JobFailed', { jobId: 'j', code, reason: '', failedAt: 't' })).data).toMatchObject({
        code: TEXT,
      });
    const odd = {
      ...metadataAt('2026-03-10T12:00:00.000Z'),
      actor: { kind: 'system' as const, id: 'ann@example.com' },
    };
    expect(JSON.stringify(anonymous(recorded('AccountDeleted', { userId: ANN }, { metadata: odd })))).not.toContain(
      'ann@',
    );
  });

  it('omits unclassified fields and types', () => {
    expect(
      anonymous(recorded('AccountDeleted', { userId: ANN, deletedAt: 't', telephone: '+44 20 7946 0000' })).data,
    ).toEqual({
      userId: pseudonyms.id(ANN),
      deletedAt: 't',
    });
    const unknown = anonymous(recorded('AnnWasHere', { name: 'Ann' }, { stream: 'ann@example.com' }));
    expect(JSON.stringify(unknown)).not.toMatch(/Ann|ann@/);
    expect(unknown).toMatchObject({ data: {}, version: 0, stream_kind: '' });
  });

  it('differs with another key, and is the same with the same', () => {
    const event = recorded('AccountDeleted', { userId: ANN, deletedAt: 't' });
    const again = createAnonymiser(createPseudonyms('a key of the test, long enough for one'))(exportedEvent(event));
    expect(again).toEqual(anonymous(event));
    const other = createAnonymiser(createPseudonyms('another key of the test, as long as that'))(exportedEvent(event));
    expect(other.stream).not.toBe(again.stream);
    expect(other.data).not.toEqual(again.data);
  });
});

describe.each(DOORS)('no personal data is left %s', (_, rowsOf) => {
  it('of the frozen events of every type and version', async () => {
    const folder = new URL('../../stored/frozen/', import.meta.url);
    const events = readdirSync(folder).map(
      (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordedEvent & { metadata: EventMetadata },
    );
    expect(events.length).toBeGreaterThan(140);
    const left = new Set<string>();
    const rows = await rowsOf(
      events.map(({ type, data, id, metadata }, index) =>
        currentEvent(recorded(type, data, { id, metadata, position: at(index) })),
      ),
    );
    for (const [index, frozen] of events.entries()) {
      const known = new Set([
        '[redacted]',
        ...namesIn(frozen.data),
        ...storedFields(STORED[frozen.type as EventType].schema).flatMap(({ choices }) => choices),
      ]);
      const was = new Set(textsIn(frozen.data));
      for (const text of textsIn((rows[index] as { readonly data: object }).data))
        if (was.has(text) && !known.has(text) && !TIME.test(text)) left.add(text);
    }
    // Besides names of fields, times and words that a schema lists.
    expect([...left].toSorted()).toEqual(SAY_NOTHING);
  });

  it('of a realistic log', async () => {
    const page =
      '<!doctype html><html lang="en"><title>Aunt Agatha’s pottery</title><h1>Pots by Agatha</h1><p>Call Agatha: 020 7946 0000.</p>';
    const site = await startTestSite({ '/': page });
    const made = product();
    const lived = await livedIn(made.store, site.host);
    const log = await made.log();
    const out = (await rowsOf(log)).map((row) => JSON.stringify(row)).join('\n');
    await site.close();
    expect(log.length).toBeGreaterThan(100);
    const raw = JSON.stringify(log, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    const planted = [
      'ann@example.com',
      'bob@example.com',
      'lee@example.com',
      '"Ann"',
      'Agatha',
      'Asked the printer.',
      site.host,
      '127.0.0.1',
    ];
    for (const secret of [
      ...planted,
      lived.ann,
      lived.bob,
      lived.left,
      ...Object.values(lived.jobs).filter((id) => raw.includes(id)),
    ]) {
      expect(raw, secret).toContain(secret);
      expect(out, secret).not.toContain(secret);
    }
    // Anything like an email address, an IP address or a site that is not a pseudonym.
    expect(out.match(/[\w.+-]+@[\w-]+\.\w+/g) ?? []).toEqual([]);
    expect(out.match(/\b\d{1,3}(\.\d{1,3}){3}\b/g) ?? []).toEqual([]);
    expect(
      (out.match(/https?:\/\/[^"\\\s]+/g) ?? []).filter(
        (url) => !/^https?:\/\/site-[0-9a-f]{32}\.invalid\/$/.test(url),
      ),
    ).toEqual([]);
  });
});

const TIME = /^\d{4}-\d\d(-\d\d(T[\d:.]+Z)?)?$/;

/**
 * Texts of the frozen events that are kept: currencies, codes (also for promotions), positions, checks, files, read models, followers, authors of texts.
 */
const SAY_NOTHING: readonly string[] = [
  '',
  '0',
  '00000000000000000012',
  '00000000000000001200',
  '12',
  // A month.
  '202608',
  '3fa1c0de',
  'AI',
  'Built-in analyst',
  'Error',
  // A promotion code.
  'FIFTEEN',
  'GIVEN_UP',
  'INTERNAL',
  'JobCompleted',
  'JobFailed',
  'JobSubmitted',
  'NO_MODEL',
  'SPRING',
  'a',
  'a6',
  'audit',
  'boards',
  'example',
  'example-login',
  'hybrid',
  'internal',
  'model-x',
  'page-title',
  'pages.csv',
  'payment_intent.succeeded',
  'planFiles',
  'rules',
  'settledAnalyses',
  'title-missing',
  'usd',
  'webhook',
];

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...namesIn(inner)])
    : [];
}
