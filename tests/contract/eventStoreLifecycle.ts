import { expect } from 'vitest';
import { RevisionConflict, StoreClosed, StreamDeleted } from '../../src/eventStore/eventStore.ts';
import type { Case } from './eventStore.ts';
import {
  caughtUp,
  collect,
  eventsIn,
  eventsOf,
  idsOf,
  newEvents,
  refusal,
  wholeLog,
  yields,
} from './eventStoreHarness.ts';

/** Covered by the adapter's own tests where it has files and processes. */
const outside = async () => expect.unreachable('the adapter must name where this is held');

const deleting: readonly Case[] = [
  [
    'ES47 a deletion is final: the content is gone, and the stream can never be written again',
    async ({ store, erase, reopen }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      await store.append('thing-2', newEvents(1), { expected: 'no_stream' });
      await store.delete('thing-1');
      await store.delete('never-written');
      await erase();
      for (const again of [async () => store, reopen]) {
        if (again === null) continue;
        const current = await again();
        for (const stream of ['thing-1', 'never-written']) {
          expect(await current.read(stream)).toEqual({ status: 'deleted' });
          for (const expected of ['no_stream', 'any', 2n] as const) {
            expect(await refusal(current.append(stream, newEvents(1), { expected }))).toBeInstanceOf(StreamDeleted);
          }
          expect(await refusal(current.truncate(stream, 1n))).toBeInstanceOf(StreamDeleted);
          await current.delete(stream);
          expect(await current.read(stream)).toEqual({ status: 'deleted' });
        }
        expect((await wholeLog(current)).map((event) => event.stream)).toEqual(['thing-2']);
      }
    },
  ],
  [
    'ES48 deleting at a wrong revision is refused and deletes nothing',
    async ({ store }) => {
      await store.append('thing-1', newEvents(3), { expected: 'no_stream' });
      for (const expected of [1n, 3n, 'no_stream'] as const) {
        expect(await refusal(store.delete('thing-1', { expected }))).toMatchObject({
          code: 'REVISION_CONFLICT',
          actual: 2n,
        });
      }
      expect(await refusal(store.delete('thing-2', { expected: 0n }))).toMatchObject({
        code: 'REVISION_CONFLICT',
        actual: null,
      });
      expect(await eventsOf(store, 'thing-1')).toHaveLength(3);
      expect(await store.read('thing-2')).toEqual({ status: 'missing' });
      await store.delete('thing-2', { expected: 'no_stream' });
      await store.delete('thing-1', { expected: 2n });
      for (const stream of ['thing-1', 'thing-2']) expect(await store.read(stream)).toEqual({ status: 'deleted' });
    },
  ],
  [
    'ES49 truncating hides old events; the numbering and the rest of the stream go on',
    async ({ store, erase, reopen }) => {
      const events = newEvents(5);
      await store.append('thing-1', events, { expected: 'no_stream' });
      await store.truncate('thing-1', 3n);
      await erase();
      expect(await store.read('thing-1')).toMatchObject({
        status: 'found',
        revision: 4n,
        events: [{ revision: 3n }, { revision: 4n }],
      });
      expect(idsOf(await wholeLog(store))).toEqual(idsOf(events.slice(3)));
      await store.truncate('thing-1', 2n);
      expect(await eventsOf(store, 'thing-1')).toHaveLength(2);
      expect((await store.append('thing-1', newEvents(1), { expected: 4n })).revision).toBe(5n);
      await store.truncate('thing-1', 1_000n);
      const again = reopen === null ? store : await reopen();
      expect(await again.read('thing-1')).toEqual({ status: 'found', revision: 5n, events: [] });
      expect(await refusal(again.append('thing-1', newEvents(1), { expected: 'no_stream' }))).toBeInstanceOf(
        RevisionConflict,
      );
      expect((await again.append('thing-1', newEvents(1), { expected: 5n })).revision).toBe(6n);
      await again.truncate('missing', 3n);
      expect(await again.read('missing')).toEqual({ status: 'missing' });
    },
  ],
  [
    'a deletion between appends of the same moment takes its turn',
    async ({ store }) => {
      const results = await Promise.allSettled([
        store.append('thing-1', newEvents(2), { expected: 'no_stream' }),
        store.delete('thing-1', { expected: 0n }),
        store.append('thing-1', newEvents(1), { expected: 1n }),
        store.delete('thing-1', { expected: 2n }),
        store.append('thing-1', newEvents(1), { expected: 'any' }),
        store.delete('thing-1'),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(await store.read('thing-1')).toEqual({ status: 'deleted' });
    },
  ],
  [
    'a subscription that is behind passes over what was deleted meanwhile',
    async ({ store, erase }) => {
      await store.append('thing-1', newEvents(10), { expected: 'no_stream' });
      await store.append('thing-2', newEvents(10), { expected: 'no_stream' });
      const iterator = store.subscribe({ batchSize: 3 })[Symbol.asyncIterator]();
      await iterator.next();
      await store.delete('thing-1');
      await erase();
      const rest = [];
      while (!caughtUp(rest)) rest.push((await iterator.next()).value);
      expect(eventsIn(rest).map((event) => event.stream)).toEqual(Array(10).fill('thing-2'));
      await iterator.return?.();
    },
  ],
];

const ending: readonly Case[] = [
  [
    'ES50 closing is idempotent, writes what it had taken, ends who waits, and fails calls after it at once',
    async ({ store, reopen }) => {
      const appended = store.append('thing-1', newEvents(2), { expected: 'no_stream' });
      const following = collect(store, { after: 'end' }, () => false);
      await yields();
      const head = await store.head();
      const waiting = store.append('thing-1', newEvents(1), { expected: 1n });
      await Promise.all([store.close(), store.close()]);
      await store.close();
      expect((await appended).revision).toBe(1n);
      expect((await waiting).revision).toBe(2n);
      expect((await following)[0]?.kind).toBe('caughtUp');
      const attempts = [
        () => store.append('thing-1', newEvents(1), { expected: 'any' }),
        () => store.read('thing-1'),
        () => store.readAll(),
        () => store.head(),
        () => store.truncate('thing-1', 1n),
        () => store.delete('thing-1'),
        () => collect(store, {}, caughtUp),
      ];
      for (const attempt of attempts) expect(await refusal((async () => attempt())())).toBeInstanceOf(StoreClosed);
      if (reopen === null) return;
      const again = await reopen();
      expect(await eventsOf(again, 'thing-1')).toHaveLength(3);
      expect((await again.head()) > head).toBe(true);
    },
  ],
  ['ES51 a second process on the same data is refused with a typed error, and nothing is harmed', outside],
  ['ES52 disk full: a typed error, earlier events stay readable, and it works again when there is space', outside],
  ['ES53 a half-written log: it opens, is sound, and holds a prefix of what was written', outside],
];

export const lifecycleCases: readonly Case[] = [...deleting, ...ending];
