/**
 * What a socket that subscribes with a position gets of what it missed: in batches, and no more than a bounded amount,
 * however often it asks.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import {
  inBatches,
  MAX_MISSED,
  MISSED_BATCH,
  type OpenChannel,
  TooMuchMissed,
} from '../../../src/http/realtime/subscription.ts';
import type { Row } from '../../../src/http/realtime/topics.ts';
import { CLOSE } from '../../../src/model/socket.ts';
import { actionItem, givenAnalysis, givenJob } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../../given/product/http.ts';
import { openSocket, type TestSocket } from '../../given/product/socket.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { preparedReadModels } from '../../given/stores/readModels.ts';

const START = '0'.repeat(20);
const at = (position: number): string => String(position).padStart(20, '0');
const row = (position: number): Row => ({
  rowId: `row-${position}`,
  table: 'jobs',
  eventType: 'UPDATE',
  new: {},
  old: null,
  position: at(position),
});

describe('missed rows', () => {
  const channelWith = (count: number): OpenChannel => ({
    topic: 'jobs:user',
    model: 'jobs',
    missed: async function* () {
      for (let nth = 1; nth <= count; nth += 1) yield row(nth);
    },
  });
  async function read(
    count: number,
    admit: () => Promise<void> = async () => undefined,
  ): Promise<{ readonly rows: number; readonly error: unknown }> {
    let rows = 0;
    try {
      for await (const _ of inBatches(channelWith(count), admit).missed(START)) rows += 1;
      return { rows, error: null };
    } catch (error) {
      return { rows, error };
    }
  }

  it('let other work of the process go first after each batch', async () => {
    let turned = 0;
    const turn = (): void => {
      turned += 1;
      if (turned < 10) setImmediate(turn);
    };
    setImmediate(turn);
    const turns: number[] = [];
    for await (const _ of inBatches(channelWith(3 * MISSED_BATCH), async () => undefined).missed(START))
      turns.push(turned);
    expect(turns).toEqual(Array.from({ length: 3 * MISSED_BATCH }, (_, nth) => Math.floor(nth / MISSED_BATCH)));
  });

  it.each([
    [0, 1],
    [1, 1],
    [MISSED_BATCH, 1],
    [MISSED_BATCH + 1, 2],
    [10 * MISSED_BATCH, 10],
  ])('%i are counted as %i batches', async (count, batches) => {
    let admitted = 0;
    const all = await read(count, async () => {
      admitted += 1;
    });
    expect([all, admitted]).toEqual([{ rows: count, error: null }, batches]);
  });

  it('are not read beyond the batches that are admitted', async () => {
    let left = 2;
    const refused = new Error('refused');
    const admit = async (): Promise<void> => {
      left -= 1;
      if (left < 0) throw refused;
    };
    expect(await read(10 * MISSED_BATCH, admit)).toEqual({ rows: 2 * MISSED_BATCH, error: refused });
  });

  it('end at a thousand', async () => {
    expect(await read(MAX_MISSED)).toEqual({ rows: MAX_MISSED, error: null });
    expect(await read(MAX_MISSED + 1)).toEqual({ rows: MAX_MISSED, error: expect.any(TooMuchMissed) });
  });
});

describe('a socket', () => {
  let app: TestApp;
  let user: TestUser;
  async function start(options: TestAppOptions = {}): Promise<void> {
    app = await startTestApp(options);
    user = await app.signUp();
  }
  afterEach(() => app.close());

  const connected = async (who: TestUser = user): Promise<TestSocket> => (await openSocket(app.url)).logIn(who.token);
  const eventsOf = (socket: TestSocket) => socket.messages.filter((message) => message.type === 'event');
  const limited = (points: number) => ({ rateLimits: { missed: { points, seconds: 600 } } });

  /** Jobs of the user, as short as they can be. */
  async function givenJobs(count: number): Promise<void> {
    const submittedAt = app.deps.now();
    const bounds = { maxPages: 50, maxMs: 180_000 };
    const submitted = Array.from({ length: count }, (_, nth) => {
      const jobId = `job-${nth}`;
      const data = {
        jobId,
        userId: user.userId,
        url: 'https://example.com/',
        host: 'example.com',
        bounds,
        access: 'full',
        submittedAt,
      };
      return app.store.append(
        jobId,
        [{ id: randomUUID(), type: 'JobSubmitted', data, metadata: metadataAt(submittedAt) }],
        { expected: 'any' },
      );
    });
    await Promise.all(submitted);
    await app.readModels.reached(['jobs'], await app.store.head(), 20_000);
  }

  it('that missed more than a thousand rows has to load its list again, and follows it from there', async () => {
    await start();
    await givenJobs(MAX_MISSED + 1);
    const socket = await connected();
    await expect(socket.subscribe('jobs', START)).rejects.toThrow('TOO_MUCH_MISSED');
    expect(eventsOf(socket)).toEqual([]);
    const position = await socket.subscribe('jobs');
    const { jobId } = await givenJob(app, user.userId);
    expect(await socket.next((message) => message.type === 'event')).toMatchObject({
      channel: 'jobs',
      new: { id: jobId },
    });
    // The jobs of others are not among those that this user missed.
    const other = await connected(await app.signUp());
    expect((await other.subscribe('jobs', START)) >= position).toBe(true);
    // Of what was missed since the end, little enough is left.
    const again = await connected();
    await again.subscribe('jobs', position);
    expect(eventsOf(again)).toMatchObject([{ new: { id: jobId } }]);
    for (const one of [socket, other, again]) await one.close();
  });

  it('has one limit with all sockets and channels of its user, and other users have theirs', async () => {
    await start(limited(6));
    const items = Array.from({ length: 3 * MISSED_BATCH }, (_, nth) => actionItem(`item-${nth}`));
    const { jobId } = await givenAnalysis(app, user.userId, { items });
    const sockets = [await connected(), await connected(), await connected()] as const;
    // Three batches of items, and three times a single one.
    await sockets[0].subscribe(`actions:${jobId}`, START);
    await sockets[0].subscribe('billing', START);
    await sockets[1].subscribe('jobs', START);
    await sockets[2].subscribe('jobs', START);
    const received = eventsOf(sockets[2]).length;
    for (const [nth, channel] of ['jobs', 'billing', `actions:${jobId}`].entries()) {
      await expect(sockets[nth as 0 | 1 | 2].subscribe(channel, START)).rejects.toThrow('TOO_MUCH_MISSED');
    }
    expect(eventsOf(sockets[2])).toHaveLength(received);
    // Without a position nothing is sent again.
    await sockets[2].subscribe('jobs');
    await givenJob(app, user.userId);
    await sockets[2].next((message) => message.type === 'event' && message.eventType === 'INSERT');
    const other = await connected(await app.signUp());
    await other.subscribe('jobs', START);
    expect(app.logLines.filter((line) => line.includes('"limit":"missed"'))).toHaveLength(1);
    for (const socket of [...sockets, other]) await socket.close();
  });

  it('that has all its tabs reconnect a few times within seconds is not limited', async () => {
    await start();
    const { jobId } = await givenAnalysis(app, user.userId);
    for (let reconnect = 0; reconnect < 4; reconnect += 1) {
      const tabs = await Promise.all(Array.from({ length: 5 }, () => connected()));
      await Promise.all(
        tabs.map(async (tab) => {
          for (const channel of ['jobs', 'reworks', 'billing', `actions:${jobId}`]) await tab.subscribe(channel, START);
        }),
      );
      await Promise.all(tabs.map((tab) => tab.close()));
    }
  });

  it('closes with more messages waiting than it may have', async () => {
    const readModels = await preparedReadModels();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const countChanged: typeof readModels.countChanged = async (...given) => {
      await held;
      return readModels.countChanged(...given);
    };
    await start({
      stores: { store: memoryEventStore(), readModels },
      deps: { readModels: Object.assign(Object.create(readModels), { countChanged }) },
      realtime: { messagesPerSecond: 1_000, closeMs: 50 },
    });
    const socket = await connected();
    socket.send({ type: 'subscribe', channel: 'jobs', since: START });
    for (let nth = 1; nth < 40; nth += 1) socket.send({ type: 'unsubscribe', channel: 'billing' });
    socket.send({ type: 'ping' });
    await socket.next((message) => message.type === 'pong');
    socket.send({ type: 'unsubscribe', channel: 'billing' });
    expect((await socket.closed).code).toBe(CLOSE.tooManyMessages);
    release();
  });
});
