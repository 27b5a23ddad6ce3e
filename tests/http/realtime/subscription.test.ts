import { describe, expect, it } from 'vitest';
import type { Hub, RealtimeDeps, Subscriber } from '../../../src/http/realtime/hub.ts';
import type { Outbox } from '../../../src/http/realtime/outbox.ts';
import { type OpenChannel, startSubscription } from '../../../src/http/realtime/subscription.ts';
import type { Row } from '../../../src/http/realtime/topics.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const at = (position: number): string => String(position).padStart(20, '0');
const row = (rowId: string, position: number): Row => ({
  rowId,
  table: 'jobs',
  eventType: 'UPDATE',
  new: { id: rowId },
  old: null,
  position: at(position),
});

/** A subscription whose missed rows arrive when the test lets them. */
function setUp(missed: () => AsyncIterable<Row>) {
  const sent: string[] = [];
  let subscriber: Subscriber | null = null;
  let tooSlow = 0;
  const hub = {
    subscribe: (_topic: string, _channel: string, given: Subscriber) => {
      subscriber = given;
      return () => {
        subscriber = null;
      };
    },
  } as unknown as Hub;
  const read = (frame: Buffer): void => {
    const { new: view, position } = JSON.parse(String(frame));
    sent.push(`${view.id}@${Number(position)}`);
  };
  const outbox = {
    send: read,
    sendPaced: async (frame: Buffer) => read(frame),
    tooSlow: () => {
      tooSlow += 1;
    },
    closed: false,
  } as unknown as Outbox;
  const open: OpenChannel = { topic: 'jobs:user', model: 'jobs', missed };
  const deps = { readModels: memoryReadModels() } as unknown as RealtimeDeps;
  return {
    sent,
    tooSlowCalls: () => tooSlow,
    subscribed: () => subscriber !== null,
    happen: (...rows: readonly Row[]) => {
      for (const one of rows)
        subscriber?.deliver(one, Buffer.from(JSON.stringify({ new: one.new, position: one.position })));
    },
    begin: (since?: string) => startSubscription(deps, hub, 'jobs', open, since, outbox),
  };
}

describe('a realtime subscription', () => {
  it('holds back changes while the missed rows are sent, and drops those among them', async () => {
    let middle = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      middle = resolve;
    });
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const given = setUp(async function* () {
      yield row('a', 3);
      middle();
      await gate;
      yield row('b', 6);
    });
    const starting = given.begin(at(2));
    await reached;
    given.happen(row('a', 3), row('b', 5), row('b', 6), row('a', 7), row('c', 8));
    expect(given.sent).toEqual(['a@3']);
    goOn();
    const { goLive } = await starting;
    expect(given.sent).toEqual(['a@3', 'b@6']);
    goLive();
    expect(given.sent).toEqual(['a@3', 'b@6', 'a@7', 'c@8']);
    given.happen(row('b', 9));
    expect(given.sent.at(-1)).toBe('b@9');
  });

  it('without a position sends nothing old, and nothing before its position', async () => {
    const given = setUp(async function* () {
      yield row('a', 1);
    });
    const { goLive, position } = await given.begin();
    given.happen(row('a', 2));
    expect(given.sent).toEqual([]);
    expect(position).toBe(at(0));
    goLive();
    expect(given.sent).toEqual(['a@2']);
  });

  it('ends when too much waits, and when the missed rows cannot be read', async () => {
    const given = setUp(async function* () {
      given.happen(...Array.from({ length: 10_001 }, (_, nth) => row('a', nth + 1)));
      yield row('a', 1);
    });
    await given.begin(at(0));
    expect(given.tooSlowCalls()).toBe(1);
    const broken = setUp(async function* () {
      yield row('a', 1);
      throw new Error('the store is gone');
    });
    await expect(broken.begin(at(0))).rejects.toThrow('the store is gone');
    expect(broken.subscribed()).toBe(false);
  });
});
