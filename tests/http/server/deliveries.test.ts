/** How long each of the deliveries of one address has, beyond its limit. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/http/request/errors.ts';
import { createDeliveries } from '../../../src/http/server/deliveries.ts';
import { createRoom } from '../../../src/http/server/room.ts';

const MAX_BYTES = 1_000;
const beyondTheLimit = {
  attemptDelivery: async () => ({
    refused: new HttpError('RATE_LIMITED', 'Too many'),
    accepted: async () => undefined,
  }),
};

/** A delivery of which more has arrived than the connection's buffer holds, or all of it. */
function delivery(address: string, complete = false): Context {
  const request = Object.assign(new PassThrough({ highWaterMark: 4 }), { complete, headers: {} });
  request.write('more than it holds');
  return { ip: address, req: request, res: new EventEmitter(), status: 400 } as unknown as Context;
}

/** The turns that are given, in order; none ends before the next is asked for. */
function turnsOf() {
  const deliveries = createDeliveries(beyondTheLimit, MAX_BYTES);
  const given: { readonly name: string; readonly withinMs: number }[] = [];
  let end = (): void => undefined;
  const receive = (name: string, ctx: Context): Promise<void> =>
    deliveries.receive(
      ctx,
      () => undefined,
      (withinMs = Number.POSITIVE_INFINITY) => {
        given.push({ name, withinMs });
        return new Promise((resolve) => {
          end = resolve;
        });
      },
    );
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    given,
    receive: async (name: string, ctx: Context) => {
      void receive(name, ctx);
      await settled();
    },
    next: async () => {
      end();
      await settled();
    },
  };
}

describe('a delivery beyond the limit of its address', () => {
  it('has two seconds while no other waits', async () => {
    const turns = turnsOf();
    for (let nth = 0; nth < 3; nth += 1) {
      await turns.receive(`own ${nth}`, delivery(`203.0.113.${nth}`));
      await turns.next();
    }
    expect(turns.given.map(({ withinMs }) => withinMs)).toEqual([2_000, 2_000, 2_000]);
  });

  it.each([18, 100, 200])('is read in time, however slow the %i before it are', async (count) => {
    const turns = turnsOf();
    for (let nth = 0; nth < count; nth += 1) await turns.receive('slow', delivery('203.0.113.1'));
    await turns.receive('large', delivery('203.0.113.1'));
    while (turns.given.at(-1)?.name === 'slow') await turns.next();
    const before = turns.given.slice(0, -1).map(({ withinMs }) => withinMs);
    expect(before).toHaveLength(count);
    expect(Math.min(...before)).toBeGreaterThanOrEqual(100);
    // A request has 30 seconds.
    expect(before.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(28_000);
  });

  it('that goes on coming shares the time, so that a line that is refilled is no slower', async () => {
    const turns = turnsOf();
    for (let nth = 0; nth < 18; nth += 1) await turns.receive('slow', delivery('203.0.113.1'));
    await turns.receive('large', delivery('203.0.113.1'));
    while (turns.given.at(-1)?.name === 'slow') {
      await turns.receive('slow', delivery('203.0.113.1'));
      await turns.next();
    }
    const before = turns.given.slice(0, -1).reduce((sum, { withinMs }) => sum + withinMs, 0);
    expect(before).toBeLessThan(5_000);
  });

  it('that has arrived goes first', async () => {
    const turns = turnsOf();
    await turns.receive('first', delivery('203.0.113.1'));
    await turns.receive('slow', delivery('203.0.113.1'));
    await turns.receive('small', delivery('203.0.113.1', true));
    await turns.next();
    await turns.next();
    expect(turns.given.map(({ name }) => name)).toEqual(['first', 'small', 'slow']);
  });
});

describe('a delivery within the limit of its address', () => {
  it('waits in turn while there is no room for what others of it bring, and is never refused', async () => {
    const withinTheLimit = { attemptDelivery: async () => ({ refused: null, accepted: async () => undefined }) };
    const deliveries = createDeliveries(
      withinTheLimit,
      MAX_BYTES,
      createRoom({ ofOne: 2 * MAX_BYTES, ofAll: 3 * MAX_BYTES }),
    );
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const receive = async (name: string, address: string): Promise<void> => {
      const ctx = delivery(address);
      Object.assign(ctx.req.headers, { 'content-length': String(MAX_BYTES) });
      void deliveries.receive(
        ctx,
        () => undefined,
        () => {
          begun.push(name);
          return new Promise((resolve) => ends.push(resolve));
        },
      );
      await new Promise((resolve) => setImmediate(resolve));
    };
    // The third and the fourth of the first address have a turn each; the second address holds nothing yet.
    for (const name of ['1', '2', '3', '4']) await receive(name, '203.0.113.1');
    await receive('other', '203.0.113.2');
    expect(begun).toEqual(['1', '2', '3', 'other']);
    ends[2]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['1', '2', '3', 'other', '4']);
  });
});

describe('what is held of deliveries that wait', () => {
  /** As much as one of them holds. */
  const EACH = 'more than it holds'.length;

  /** The first has its turn, which does not end; the others wait. */
  function waitingRoom(most: { readonly ofOne: number; readonly ofAll: number }) {
    const deliveries = createDeliveries(beyondTheLimit, MAX_BYTES, createRoom(), most);
    const refused: string[] = [];
    const turns: string[] = [];
    let end = (): void => undefined;
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const receive = async (name: string, ctx: Context): Promise<void> => {
      const handle = (): Promise<void> => {
        turns.push(name);
        return new Promise((resolve) => {
          end = resolve;
        });
      };
      deliveries
        .receive(ctx, () => undefined, handle)
        .catch((error: HttpError) => refused.push(`${name}: ${error.code}`));
      await settled();
    };
    const next = async (): Promise<void> => {
      end();
      await settled();
    };
    return { refused, turns, receive, next };
  }

  it('is bounded for each address: the one that has gone on arriving for longest is refused', async () => {
    const { refused, receive } = waitingRoom({ ofOne: 2 * EACH, ofAll: 100 * EACH });
    await receive('in turn', delivery('203.0.113.1'));
    await receive('another', delivery('203.0.113.2'));
    for (const name of ['1', '2']) await receive(name, delivery('203.0.113.1'));
    expect(refused).toEqual([]);
    for (const name of ['3', '4']) await receive(name, delivery('203.0.113.1'));
    await receive('another, too', delivery('203.0.113.2'));
    expect(refused).toEqual(['1: BUSY', '2: BUSY']);
  });

  it('is bounded for all: one of the address that holds most is refused', async () => {
    const { refused, receive } = waitingRoom({ ofOne: 100 * EACH, ofAll: 4 * EACH });
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      await receive(`${address} in turn`, delivery(address));
      await receive(`${address} waiting`, delivery(address));
    }
    for (const name of ['1', '2', '3']) await receive(name, delivery('203.0.113.9'));
    // The first of them has its turn.
    expect(refused).toEqual(['2: BUSY']);
    await receive('203.0.113.1 later', delivery('203.0.113.1'));
    expect(refused).toEqual(['2: BUSY', '203.0.113.1 waiting: BUSY']);
  });

  it('is never refused once it has arrived', async () => {
    const { refused, turns, receive, next } = waitingRoom({ ofOne: EACH, ofAll: EACH });
    await receive('in turn', delivery('203.0.113.1'));
    for (const name of ['1', '2', '3']) await receive(name, delivery('203.0.113.1', true));
    await receive('arriving', delivery('203.0.113.1'));
    expect(refused).toEqual(['arriving: BUSY']);
    for (let nth = 0; nth < 3; nth += 1) await next();
    expect(turns).toEqual(['in turn', '1', '2', '3']);
  });

  it('counts no longer once it has had its turn, was refused, or is gone', async () => {
    const { refused, receive, next } = waitingRoom({ ofOne: EACH, ofAll: EACH });
    await receive('in turn', delivery('203.0.113.1'));
    for (let nth = 0; nth < 3; nth += 1) {
      await receive(`${nth}`, delivery('203.0.113.1'));
      await next();
    }
    expect(refused).toEqual([]);
    const leaving = delivery('203.0.113.1');
    await receive('leaving', leaving);
    leaving.res.emit('close');
    await receive('last', delivery('203.0.113.1'));
    expect(refused).toEqual(['leaving: CLIENT_GONE']);
  });
});

describe('the turns of many addresses', () => {
  it('are one at a time while there is no room for what others bring', async () => {
    const deliveries = createDeliveries(
      beyondTheLimit,
      MAX_BYTES,
      createRoom({ ofOne: MAX_BYTES, ofAll: 2 * MAX_BYTES }),
    );
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    for (let nth = 1; nth <= 5; nth += 1) {
      const ctx = delivery(`203.0.113.${nth}`);
      Object.assign(ctx.req.headers, { 'content-length': String(MAX_BYTES) });
      const handle = (): Promise<void> => {
        begun.push(ctx.ip);
        return new Promise((resolve) => ends.push(resolve));
      };
      void deliveries.receive(ctx, () => undefined, handle);
      await settled();
    }
    expect(begun).toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.3']);
    for (const nth of [2, 3, 4]) {
      ends[nth]?.();
      await settled();
    }
    expect(begun).toEqual([1, 2, 3, 4, 5].map((nth) => `203.0.113.${nth}`));
  });
});
