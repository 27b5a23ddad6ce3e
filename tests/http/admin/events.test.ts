/** Anonymized events over HTTP: for admins, and for analysts by a key that opens nothing else beside reports. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/domain/eventTypes.ts';
import { type EventStore, type RecordedEvent, START } from '../../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { createAnonymiser } from '../../../src/reports/events/anonymise.ts';
import { exportedEvent } from '../../../src/reports/events/exportedEvent.ts';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { writeAnalystsLog } from '../../given/product/analystsLog.ts';
import { appOver, EVENTS, type Line, linesOf, logOf, slowly } from '../../given/product/eventExport.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../../given/product/http.ts';
import { openSocket } from '../../given/product/socket.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { startEventStoreDbServer } from '../../servers/eventStoreDb.ts';

const PATIENTLY = { timeout: 20_000 };
const DAY_MS = 24 * 60 * 60 * 1_000;

let app: TestApp;
let admin: TestUser;
let key: string;

type Started = { readonly app: TestApp; readonly admin: TestUser };

async function use(started: Promise<Started>): Promise<void> {
  await app?.close();
  ({ app, admin } = await started);
  key = await keyOf('events:read');
}
async function start(options: TestAppOptions = {}): Promise<Started> {
  const started = await startTestApp(options);
  return { app: started, admin: await started.signUp() };
}
beforeEach(() => use(start()));
afterEach(() => app.close());

async function keyOf(scope: string, days: number | null = null): Promise<string> {
  const { status, body } = await admin.call('POST', '/api/v1/api-keys', { name: 'Ann', scope, expires_in_days: days });
  expect(status).toBe(201);
  return body.key;
}
const ask = (query = '', token = key) => app.call('GET', `${EVENTS}${query}`, { token });
const typesIn = (text: string) => linesOf(text).flatMap(({ type }) => (type === undefined ? [] : [type]));
const endOf = (text: string) => linesOf(text).at(-1)?.end;
const positionsIn = (text: string) =>
  linesOf(text).flatMap(({ position }) => (position === undefined ? [] : [position]));
/** Its use is recorded beside the requests, once an hour. */
async function used(): Promise<void> {
  await app.call('GET', '/api/v1/admin/reports', { token: key });
  const uses = () => app.store.readAll({ filter: { types: ['ApiKeyUsed'] } });
  await expect.poll(async () => (await uses()).events.length, PATIENTLY).toBe(1);
}
const exportsInLog = async () =>
  (await app.store.readAll({ filter: { types: ['EventsExported'] } })).events.map(
    ({ data }) => data as Record<string, unknown>,
  );
const padded = (position: number): string => String(position).padStart(20, '0');

/** A small event at each position: at noon of the first days of 2026, one a day. */
function eventsOf(count: number): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, index) => eventAt(index + 1));
}
function eventAt(position: number): RecordedEvent {
  const at = new Date(Date.UTC(2026, 0, position, 12)).toISOString();
  return {
    id: `event-${position}`,
    type: position % 2 === 0 ? 'JobCompleted' : 'AccountDeleted',
    stream: position % 2 === 0 ? `job-${position}` : `account-${position}`,
    revision: 0n,
    position: padded(position),
    data: position % 2 === 0 ? { jobId: `${position}`, completedAt: at } : { userId: `${position}`, deletedAt: at },
    metadata: metadataAt(at),
  };
}

describe('an export of events', () => {
  it('has the anonymized events of the log in its order, and says at its end that it is whole', async () => {
    await used();
    const head = await app.store.head();
    const { events } = await app.store.readAll();
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="events.ndjson"');
    const pseudonyms = app.deps.pseudonyms!;
    const anonymise = createAnonymiser(pseudonyms);
    const lines = linesOf(answer.text);
    expect(lines.slice(0, -1)).toEqual(
      events
        .filter(({ position }) => position <= head)
        .map((event) => JSON.parse(JSON.stringify(anonymise(exportedEvent(event))))),
    );
    expect(lines.at(-1)).toEqual({
      end: {
        export: answer.headers.get('export-id'),
        events: lines.length - 1,
        unreadable: 0,
        next: head,
        pseudonyms: pseudonyms.fingerprint,
      },
    });
    expect(typesIn(answer.text)).toContain('ApiKeyCreated');
    for (const secret of [admin.email, admin.userId, key, key.split('_').at(-1)!])
      expect(answer.text).not.toContain(secret);
  });

  it('is empty of an empty range, and goes on where the last one ended without a repetition', async () => {
    await used();
    const { next = '' } = endOf((await ask()).text)!;
    // Only what happened since: that export itself.
    expect(typesIn((await ask(`?from=${next}`)).text)).toEqual(['EventsExported']);
    const head = await app.store.head();
    const none = await ask(`?from=${head}`);
    expect(linesOf(none.text)).toEqual([{ end: expect.objectContaining({ events: 0, next: head }) }]);
  });

  it('is of a range of positions or times, and of types', async () => {
    await use(appOver(logOf(eventsOf(20))));
    const positions = async (query: string) => positionsIn((await ask(query)).text).map(Number);
    expect(await positions('?from=3&to=5')).toEqual([4, 5]);
    expect(await positions('?from=18')).toEqual([19, 20]);
    expect(await positions('?to=2&types=JobCompleted')).toEqual([2]);
    expect(await positions('?from=2026-01-03&to=2026-01-05')).toEqual([3, 4]);
    expect(await positions('?from=2026-01-19T12:00:00Z')).toEqual([19, 20]);
    expect(await positions('?from=2026-01-19T13:00:00%2B01:00')).toEqual([19, 20]);
    expect(await positions('?from=17&to=2026-01-20&types=AccountDeleted,AccountDeleted,JobCompleted')).toEqual([
      18, 19,
    ]);
    expect(await positions('?from=2030-01-01')).toEqual([]);
    // Of a time that is over, the next export goes on with that time; else with what has been read.
    expect(endOf((await ask('?to=2026-01-05')).text)).toMatchObject({ next: '2026-01-05T00:00:00.000Z' });
    expect(endOf((await ask('?to=2030-01-01')).text)).toMatchObject({ next: padded(20) });
    expect(endOf((await ask('?to=99')).text)).toMatchObject({ next: padded(20), events: 20 });
  });

  it('sends an event that cannot be read without its data', async () => {
    const unknown = { ...eventAt(1), type: 'FromTheFuture', data: { name: 'Agatha' } };
    await use(appOver(logOf([unknown])));
    const { text } = await ask();
    expect(linesOf(text)[0]).toMatchObject({ type: '[personal]', version: 0, data: {} });
    expect(endOf(text)).toMatchObject({ events: 1, unreadable: 1 });
    expect(text).not.toContain('Agatha');
  });

  it('says how far it is while no event is found', async () => {
    const limits = { page: 2, quietMs: 0 };
    await use(appOver(logOf(eventsOf(6)), { deps: { eventExportLimits: limits } }));
    const { text } = await ask('?types=JobFailed');
    expect(linesOf(text).slice(0, -1)).toEqual(
      [2, 4, 6].map((position) => ({ progress: { position: padded(position) } })),
    );
    expect(linesOf((await ask()).text).filter(({ progress }) => progress)).toEqual([]);
  });

  it('has the same events from EventStoreDB, also when it is resumed', async () => {
    const server = await startEventStoreDbServer();
    const log = withStoredEvents(await openEventStoreDb({ url: server.url }));
    await writeAnalystsLog(log);
    await use(appOver(log, { deps: { eventExportLimits: { page: 7 } } }));
    const { events } = await log.readAll();
    const whole = await ask();
    expect(positionsIn(whole.text)).toEqual(events.map(({ position }) => position));
    const [after = '', ...left] = positionsIn(whole.text).slice(20);
    const rest = await ask(`?resume=${whole.headers.get('export-id')}&after=${after}`);
    expect(positionsIn(rest.text)).toEqual(left);
    const { next = '' } = endOf(whole.text)!;
    expect(positionsIn((await ask(`?from=${next}`)).text)).toEqual([]);
    const between = [
      `from=${Number(after) + 1}`,
      `resume=${whole.headers.get('export-id')}&after=${Number(after) + 1}`,
    ];
    for (const query of between) {
      const { status, body } = await ask(`?${query}`);
      expect([status, body.issues?.[0]?.message]).toEqual([400, 'No event of this log is at that position']);
    }
    const jobs = events.filter(({ type }) => type === 'JobSubmitted').map(({ position }) => position);
    expect(positionsIn((await ask('?types=JobSubmitted')).text)).toEqual(jobs);
    await log.close();
    await server.close();
  });

  it('keeps promotion codes as they are', async () => {
    const paid = {
      userId: 'u',
      paymentIntentId: 'pi_1',
      amount: 100,
      currency: 'usd',
      funds: 1,
      balance: 1,
      quantity: 1,
    };
    await app.given('billing-u', {
      type: 'FundsAdded',
      data: { ...paid, discountCode: 'SPRING-26', addedAt: app.deps.now() },
    });
    const [row] = linesOf((await ask('?types=FundsAdded')).text) as readonly Line[];
    expect(row?.data).toMatchObject({ discountCode: 'SPRING-26', paymentIntentId: app.deps.pseudonyms?.id('pi_1') });
  });
});

describe('a request for events that cannot be answered', () => {
  it('names the parameter and says why', async () => {
    await use(appOver(logOf(eventsOf(20))));
    const wrong: readonly (readonly [query: string, path: string, says: string])[] = [
      ['?from=yesterday', 'from', 'A day (2026-03-01)'],
      ['?from=2026-02-30', 'from', 'A day (2026-03-01)'],
      ['?to=-1', 'to', 'A day (2026-03-01)'],
      [`?from=${'9'.repeat(21)}`, 'from', 'A day (2026-03-01)'],
      [`?from=${'2'.repeat(500)}`, 'from', ''],
      ['?from=5&to=5', 'to', 'nothing lies between'],
      ['?from=6&to=5', 'to', 'nothing lies between'],
      ['?from=2026-01-05&to=2026-01-04', 'to', 'nothing lies between'],
      ['?from=21', 'from', `This log ends at the position ${padded(20)}`],
      ['?types=', 'types', 'Name at least one'],
      ['?types=JobCompleted,Nonsense', 'types', 'There is no type of event called Nonsense'],
      [`?types=${'x'.repeat(3_900)}`, 'types', 'There is no type of event called xxx'],
      [
        `?types=${Array.from({ length: EVENT_TYPES.length + 1 }, (_, index) => `A${index}`).join(',')}`,
        'types',
        `There are only ${EVENT_TYPES.length} types`,
      ],
      ['?after=3', 'after', 'It goes with “resume”'],
    ];
    for (const [query, path, says] of wrong) {
      const { status, body } = await ask(query);
      expect([query.slice(0, 60), status, body.code]).toEqual([query.slice(0, 60), 400, 'INVALID_INPUT']);
      if (says === '') continue;
      expect(body.issues).toEqual([{ path: expect.stringContaining(path), message: expect.stringContaining(says) }]);
      expect(body.error.length).toBeLessThan(300);
    }
    expect(await exportsInLog()).toEqual([]);
  });

  it('never takes the key from the address', async () => {
    expect((await app.call('GET', `${EVENTS}?key=${key}`)).status).toBe(401);
    expect((await app.call('GET', `${EVENTS}?access_token=${key}`)).status).toBe(401);
    expect(app.logLines.join('\n')).not.toContain(key);
  });

  it('is refused where no key of pseudonyms is set', async () => {
    await use(start({ deps: { pseudonyms: null } }));
    const { status, body } = await ask();
    expect([status, body.code]).toEqual([503, 'PSEUDONYMS_UNAVAILABLE']);
    expect(body.error).toContain('PSEUDONYM_SECRET');
  });

  it('is limited per admin, all their keys together', async () => {
    await use(start({ rateLimits: { eventExport: { points: 2, seconds: 600 } } }));
    const other = await keyOf('events:read');
    expect([(await ask()).status, (await ask('', other)).status]).toEqual([200, 200]);
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect((await ask()).headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await app.call('GET', '/api/v1/admin/reports', { token: key })).status).toBe(200);
  });
});

describe('an export that is resumed', () => {
  beforeEach(() => use(appOver(logOf(eventsOf(20)))));

  it('goes on after the last position, within its own range, as the same export', async () => {
    const first = await ask('?from=2&to=18&types=JobCompleted');
    const id = first.headers.get('export-id');
    const rest = await ask(`?resume=${id}&after=${padded(9)}`);
    expect(rest.headers.get('export-id')).toBe(id);
    expect(positionsIn(rest.text).map(Number)).toEqual([10, 12, 14, 16, 18]);
    expect(endOf(rest.text)).toMatchObject({ export: id, events: 5, next: padded(18) });
    expect(positionsIn((await ask(`?resume=${id}`)).text)).toEqual(positionsIn(first.text));
    expect(positionsIn((await ask(`?resume=${id}&after=18`)).text)).toEqual([]);
    expect(await exportsInLog()).toEqual([
      {
        exportId: id,
        userId: admin.userId,
        keyId: expect.any(String),
        after: padded(2),
        upTo: padded(18),
        types: ['JobCompleted'],
        pseudonyms: app.deps.pseudonyms?.fingerprint,
        exportedAt: app.deps.now(),
      },
    ]);
  });

  it('is only the key’s own, and of the last day', async () => {
    const id = (await ask()).headers.get('export-id');
    const refused = { status: 404, body: { code: 'EVENT_EXPORT_NOT_FOUND' } };
    expect(await ask(`?resume=${id}`, await keyOf('events:read'))).toMatchObject(refused);
    expect(await ask(`?resume=${id}`, admin.token)).toMatchObject(refused);
    expect(await ask('?resume=00000000-0000-4000-8000-000000000000')).toMatchObject(refused);
    expect(await ask('?resume=..%2F..%2Fadmin')).toMatchObject(refused);
    app.advance(DAY_MS - 1);
    expect((await ask(`?resume=${id}`)).status).toBe(200);
    app.advance(1);
    expect(await ask(`?resume=${id}`)).toMatchObject(refused);
  });

  it('takes no other range, and no position outside of its own', async () => {
    const id = (await ask('?from=5&to=10')).headers.get('export-id');
    for (const query of ['from=1', 'to=20', 'types=JobCompleted', 'after=4', 'after=11', 'after=x', 'after=-1'])
      expect([query, (await ask(`?resume=${id}&${query}`)).body.code]).toEqual([query, 'INVALID_INPUT']);
  });

  it('is not resumed with other pseudonyms: its parts would not join', async () => {
    const id = (await ask()).headers.get('export-id');
    Object.assign(app.deps, { pseudonyms: createPseudonyms('another secret of the tests for pseudonyms') });
    expect((await ask(`?resume=${id}`)).status).toBe(404);
    expect((await ask()).status).toBe(200);
  });
});

describe('an analyst’s key for events', () => {
  it('is created by admins only, and listed with its scope', async () => {
    const user = await app.signUp();
    expect(await user.call('POST', '/api/v1/api-keys', { name: 'Mine', scope: 'events:read' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await admin.call('GET', '/api/v1/api-keys')).body.data).toMatchObject([
      { name: 'Ann', scope: 'events:read' },
    ]);
    expect((await admin.call('GET', '/api/v1/account/export')).body.api_keys).toMatchObject([{ scope: 'events:read' }]);
    const [{ title, detail }] = (await admin.call('GET', '/api/v1/auth/activity')).body.data.filter(
      ({ type }: { type: string }) => type === 'ApiKeyCreated',
    );
    expect([title, detail]).toEqual(['API key created', 'Ann, reports and anonymized events']);
  });

  it('is stored as one for reports, which a process of the former version takes it for', async () => {
    const { events } = await app.store.readAll({ filter: { types: ['ApiKeyCreated'] } });
    expect(events.map(({ data }) => data)).toMatchObject([{ scope: 'reports:read', events: true }]);
  });

  it('opens the reports, too, but no socket; and one for reports opens no events', async () => {
    expect((await app.call('GET', '/api/v1/admin/reports/revenue', { token: key })).status).toBe(200);
    const socket = await openSocket(app.url);
    socket.send({ type: 'auth', token: key });
    expect((await socket.closed).code).toBe(4401);
    expect(await app.call('GET', '/api/v1/jobs', { token: key })).toMatchObject({
      status: 403,
      body: { code: 'API_KEY_REPORTS_ONLY', error: 'This API key only opens reports and anonymized events.' },
    });
    expect(await ask('', await keyOf('reports:read'))).toMatchObject({
      status: 403,
      body: { code: 'API_KEY_REPORTS_ONLY', error: 'This API key only opens reports.' },
    });
    expect(await ask('', await keyOf('read'))).toMatchObject({ status: 403, body: { code: 'SESSION_REQUIRED' } });
  });

  it('leaves a line about each export in the activity of its creator', async () => {
    await ask();
    await expect
      .poll(async () => (await admin.call('GET', '/api/v1/auth/activity')).body.data[0], PATIENTLY)
      .toMatchObject({ type: 'EventsExported', title: 'Anonymized events exported', detail: 'Ann', by: 'api_key' });
  });

  it('opens events for an admin’s session, too, whose exports name no key', async () => {
    expect((await ask('', admin.token)).status).toBe(200);
    expect(await exportsInLog()).toMatchObject([{ userId: admin.userId, keyId: null }]);
  });

  it('records nothing for a request with HEAD', async () => {
    const { status, text, headers } = await app.call('HEAD', EVENTS, { token: key });
    expect([status, text, headers.get('export-id')]).toEqual([200, '', null]);
    expect(await exportsInLog()).toEqual([]);
    // Nor does it hold a place.
    for (let nth = 0; nth < 4; nth += 1) await app.call('HEAD', EVENTS, { token: key });
    expect((await ask()).status).toBe(200);
  });
});

/** A log of a million events that exist only while they are read. */
const MILLION = 1_000_000;
let pages: number;
/** What reading fails with, from now on. */
let failing: Error | null;
const million = (): Pick<EventStore, 'readAll' | 'head'> => {
  pages = 0;
  failing = null;
  return {
    head: async () => padded(MILLION),
    readAll: async ({ after = START, limit = 1_000 } = {}) => {
      if (failing) throw failing;
      pages += 1;
      const first = Number(after) + 1;
      const count = Math.min(limit, MILLION - first + 1);
      const events = Array.from({ length: count }, (_, index) => ({ ...eventAt(1), position: padded(first + index) }));
      return { events, next: padded(first + count - 1), end: first + count - 1 === MILLION };
    },
  };
};
const PAGE = 500;
const PAGES = MILLION / PAGE;
/** What the two ends of a connection may hold: some megabytes, far from all. */
const IN_BUFFERS = PAGES / 10;
/** As often as a test asks. */
const UNLIMITED = { eventExport: { points: 1e6, seconds: 60 } };
const useMillion = (options: TestAppOptions = {}) => use(appOver(million(), { rateLimits: UNLIMITED, ...options }));

describe('an export of a million events', () => {
  it('is read only as the client takes it', async () => {
    await useMillion();
    const answer = await slowly(app, EVENTS, key);
    let lines = 0;
    for (const until of [20_000, 100_000, 200_000]) {
      while (lines < until) lines += (await answer.read())!.split('\n').length - 1;
      expect(pages * PAGE - lines).toBeGreaterThanOrEqual(-PAGE);
      expect(pages).toBeLessThan(lines / PAGE + IN_BUFFERS);
    }
    answer.leave();
  });

  it('is cut off when the client takes nothing more, and its place is free then', async () => {
    await useMillion({ deps: { eventExportLimits: { stalledMs: 500, perKey: 1 } } });
    const stalled = await slowly(app, EVENTS, key);
    expect((await ask()).status).toBe(429);
    await expect.poll(async () => (await ask('?from=999999')).status, PATIENTLY).toBe(200);
    expect(pages).toBeLessThan(IN_BUFFERS);
    expect(await stalled.rest()).not.toContain('"end":');
    expect(await stalled.isOver).toBe('cut off');
  });

  it('is one of at most two of a key at once; others are not affected', async () => {
    await useMillion();
    const [first, second] = [await slowly(app, EVENTS, key), await slowly(app, EVENTS, key)];
    expect([first.status, second.status]).toEqual([200, 200]);
    const third = await ask();
    expect([third.status, third.body.code, third.headers.get('retry-after')]).toEqual([
      429,
      'EVENT_EXPORTS_RUNNING',
      '10',
    ]);
    expect(third.body.error).toContain('has 2 exports of events under way');
    expect(await ask(`?resume=${first.headers['export-id']}&after=999999`)).toMatchObject({ status: 429 });
    expect((await ask('?from=999999', await keyOf('events:read'))).status).toBe(200);
    // What was refused is no export.
    expect(await exportsInLog()).toHaveLength(3);
    first.leave();
    await expect.poll(async () => (await ask('?from=999999')).status, PATIENTLY).toBe(200);
    second.leave();
  });

  it('is one of a limited number in the process, whatever the keys', async () => {
    await useMillion({ deps: { eventExportLimits: { inAll: 2 } } });
    const open = [await slowly(app, EVENTS, key), await slowly(app, EVENTS, await keyOf('events:read'))];
    expect(await ask('', await keyOf('events:read'))).toMatchObject({ status: 503, body: { code: 'BUSY' } });
    for (const each of open) each.leave();
    await expect.poll(async () => (await ask('?from=999999')).status, PATIENTLY).toBe(200);
  });

  it('breaks off without its last line when the log fails, and can be resumed', async () => {
    await useMillion();
    const answer = await slowly(app, EVENTS, key);
    let text = (await answer.read())!;
    failing = new Error('the store is gone');
    text += await answer.rest();
    expect(await answer.isOver).toBe('cut off');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    expect(endOf(whole)).toBeUndefined();
    failing = null;
    const last = positionsIn(whole).at(-1)!;
    const rest = await slowly(app, `${EVENTS}?resume=${answer.headers['export-id']}&after=${last}`, key);
    expect(positionsIn(`${(await rest.read())!.split('\n')[0]}\n`)).toEqual([padded(Number(last) + 1)]);
    rest.leave();
  });

  it('is cut off by a stop of the server, within its limit', async () => {
    await useMillion({ drainMs: 100 });
    const answer = await slowly(app, EVENTS, key);
    await answer.read();
    await app.server.stop();
    await answer.rest();
    expect(await answer.isOver).toBe('cut off');
  });

  it.each([
    ['its key is revoked', () => revoke()],
    ['its key expires', async () => app.advance(2 * DAY_MS)],
    ['its creator is disabled', () => ofAccount('AccountDisabled', { disabledAt: app.deps.now() })],
    [
      'its creator loses the right to administer',
      () => ofAccount('AccountAdminRevoked', { reason: 'operator', revokedAt: app.deps.now() }),
    ],
  ])('ends at the next page once %s', async (_, happen) => {
    await useMillion();
    key = await keyOf('events:read', 1);
    const answer = await slowly(app, EVENTS, key);
    await answer.read();
    await happen();
    const before = pages;
    const text = await answer.rest();
    expect(await answer.isOver).toBe('cut off');
    expect(text).not.toContain('"end":');
    expect(pages - before).toBeLessThan(IN_BUFFERS);
    expect([401, 403]).toContain((await ask()).status);
  });
});

async function revoke(): Promise<void> {
  const { body } = await admin.call('GET', '/api/v1/api-keys');
  for (const { id } of body.data) await admin.call('DELETE', `/api/v1/api-keys/${id}`);
}
const ofAccount = async (type: string, data: object): Promise<void> => {
  const { userId } = admin;
  await app.given(`account-${userId}`, { type, data: { userId, ...data } });
};
