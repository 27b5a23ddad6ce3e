import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { CopyRefused, copyLog } from '../../src/eventStore/copyLog.ts';
import type { EventStore, NewEvent, RecordedEvent, ScanOptions } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { eventsOf, newEvent, newEvents, refusal, seededRandom, wholeLog } from '../contract/eventStoreHarness.ts';
import { bundled } from '../given/bundled.ts';
import { crashingStore, orCrash } from '../given/commands.ts';
import { FULL, runs } from '../given/fullForm.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';

const KILLS = FULL ? 20 : 8;

/** The parts of an event that do not depend on its store. */
const contents = (events: readonly RecordedEvent[]) =>
  events.map(({ stream, id, type, data, metadata }) => ({ stream, id, type, data, metadata }));

async function logOf(
  ...writes: readonly (readonly [stream: string, events: readonly NewEvent[]])[]
): Promise<EventStore> {
  const store = rawEventStore();
  for (const [stream, events] of writes) await store.append(stream, events, { expected: 'any' });
  return store;
}

/**
 * The real store, whose log still shows deleted and truncated events, as a log does before its store has cleaned up.
 */
function withRemains(store: EventStore): EventStore {
  const seen = new Map<string, RecordedEvent>();
  const look = async (): Promise<void> => {
    for (const event of await wholeLog(store)) seen.set(event.position, event);
  };
  const before =
    <Input extends unknown[], Output>(act: (...input: Input) => Promise<Output>) =>
    async (...input: Input): Promise<Output> => {
      await look();
      return act(...input);
    };
  return Object.assign(Object.create(store) as EventStore, {
    truncate: before((...input: Parameters<EventStore['truncate']>) => store.truncate(...input)),
    delete: before((...input: Parameters<EventStore['delete']>) => store.delete(...input)),
    async readAll({ after = '', limit = 1_000 }: NonNullable<Parameters<EventStore['readAll']>[0]> = {}) {
      await look();
      const all = [...seen.values()]
        .sort((a, b) => (a.position < b.position ? -1 : 1))
        .filter((event) => event.position > after);
      const events = all.slice(0, limit);
      return { events, next: events.at(-1)?.position ?? after, end: events.length === all.length };
    },
  });
}

/** As EventStoreDB shows a softly deleted stream: its log still has the events. */
function softlyDeleted(store: EventStore, stream: string): EventStore {
  return Object.assign(Object.create(store) as EventStore, {
    read: async (...[name, how]: Parameters<EventStore['read']>) =>
      name === stream ? { status: 'missing' } : store.read(name, how),
  });
}

type Step =
  | { readonly act: 'append'; readonly stream: number; readonly count: number; readonly characters: number }
  | { readonly act: 'truncate'; readonly stream: number; readonly before: number }
  | { readonly act: 'delete'; readonly stream: number };

const stream = fc.nat({ max: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('append' as const),
      stream,
      count: fc.integer({ min: 1, max: 6 }),
      characters: fc.nat({ max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('truncate' as const), stream, before: fc.nat({ max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), stream }) },
);

async function take(store: EventStore, given: Step): Promise<void> {
  const name = `thing-${given.stream}`;
  if (given.act !== 'append' && given.act !== 'truncate') return store.delete(name);
  if ((await store.read(name, { limit: 1 })).status === 'deleted') return undefined;
  if (given.act === 'truncate') return store.truncate(name, BigInt(given.before));
  const events = Array.from({ length: given.count }, (_, n) =>
    newEvent('ThingHappened', { n, text: '\u2028é"'.repeat(given.characters) }),
  );
  await store.append(name, events, { expected: 'any' });
  return undefined;
}

describe('a copy of a log', () => {
  it('equals the original in streams, ids, types, data, metadata and order, whatever was deleted and wherever it was interrupted', async () => {
    const breaks = fc.array(
      fc.record({ nth: fc.integer({ min: 1, max: 8 }), when: fc.constantFrom('before' as const, 'after' as const) }),
      { maxLength: 4 },
    );
    const remains = fc.record({ source: fc.boolean(), target: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), breaks, remains, async (steps, deaths, remain) => {
        const [source, target] = [rawEventStore(), rawEventStore()];
        const from = remain.source ? withRemains(source) : source;
        const to = remain.target ? withRemains(target) : target;
        for (const given of steps) await take(from, given);
        for (const { nth, when } of deaths) await orCrash(copyLog({ from, to: crashingStore(to, nth, when) }));
        const result = await copyLog({ from, to });
        const expected = contents(await wholeLog(source));
        expect(contents(await wholeLog(target))).toEqual(expected);
        expect(result.source).toEqual(result.target);
        expect(result.source.events).toBe(expected.length);
        for (const name of ['thing-0', 'thing-1', 'thing-2', 'thing-3', 'thing-4']) {
          const copied = await eventsOf(target, name);
          expect(copied.map((event) => event.revision)).toEqual(copied.map((_, index) => BigInt(index)));
        }
        expect(await copyLog({ from, to })).toMatchObject({
          copied: 0,
          renumbered: 0,
          deleted: 0,
          target: result.target,
        });
      }),
      { numRuns: runs(150), seed: 20_260_405 },
    );
  });

  it('of an empty log is empty', async () => {
    const result = await copyLog({ from: rawEventStore(), to: rawEventStore() });
    expect(result).toMatchObject({ copied: 0, source: { events: 0 }, target: { events: 0 } });
    expect(result.source.sha256).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('handles large events, long streams and more than one page per read', async () => {
    const from = await logOf(
      ['long-1', newEvents(2_500)],
      ['large-1', [newEvent('Large', { text: 'x'.repeat(1_000_000) })]],
    );
    for (let n = 0; n < 40; n++)
      await from.append('part-1', [newEvent('Part', { text: 'é'.repeat(100_000) })], { expected: 'any' });
    const to = rawEventStore();
    const appended: number[] = [];
    const received: string[] = [];
    const measuring = Object.assign(Object.create(to) as EventStore, {
      append(name: string, events: readonly NewEvent[], how: Parameters<EventStore['append']>[2]) {
        appended.push(events.length > 1 ? Buffer.byteLength(JSON.stringify(events)) : 0);
        return to.append(name, events, how);
      },
    });
    await copyLog({ from, to: measuring, onProgress: ({ phase }) => received.push(phase) });
    expect(contents(await wholeLog(to))).toEqual(contents(await wholeLog(from)));
    expect(Math.max(...appended)).toBeLessThan(1024 * 1024);
    expect(new Set(received)).toEqual(new Set(['copying', 'verifying']));
  });
});

describe('content that the source no longer shows', () => {
  it('makes its stream begin at 0, and the number of such streams is reported', async () => {
    const from = await logOf(['thing-1', newEvents(5)], ['thing-2', newEvents(3)], ['thing-3', newEvents(2)]);
    await from.truncate('thing-1', 3n);
    await from.truncate('thing-2', 3n);
    await from.append('thing-2', newEvents(2), { expected: 2n });
    const to = rawEventStore();
    expect(await copyLog({ from, to })).toMatchObject({ copied: 6, renumbered: 2 });
    const copied = await eventsOf(to, 'thing-1');
    expect(contents(copied)).toEqual(contents(await eventsOf(from, 'thing-1')));
    expect(copied.map((event) => event.revision)).toEqual([0n, 1n]);
  });

  it('is not copied back from a log that still has it, and can never be written again', async () => {
    const log = await logOf(
      ['secret-1', newEvents(3)],
      ['thing-1', newEvents(1)],
      ['secret-2', newEvents(2)],
      ['old-1', newEvents(4)],
    );
    const from = softlyDeleted(withRemains(log), 'secret-2');
    await from.delete('secret-1');
    await from.truncate('old-1', 2n);
    expect((await from.readAll()).events).toHaveLength(10);
    const to = rawEventStore();
    expect(await copyLog({ from, to })).toMatchObject({ copied: 3, deleted: 1, renumbered: 1 });
    expect((await wholeLog(to)).map((event) => event.stream)).toEqual(['thing-1', 'old-1', 'old-1']);
    expect(await to.read('secret-1')).toEqual({ status: 'deleted' });
    expect(await to.read('secret-2')).toEqual({ status: 'missing' });
  });

  it('is deleted for good at the target when it was copied before it was deleted', async () => {
    const from = await logOf(['thing-1', newEvents(1)], ['secret-1', newEvents(3)], ['thing-2', newEvents(1)]);
    const to = rawEventStore();
    await copyLog({ from, to });
    await from.append('thing-1', newEvents(1, 'SecretDeleted'), { expected: 0n });
    await from.delete('secret-1');
    for (const target of [to, withRemains(to)]) {
      const result = await copyLog({ from, to: target });
      expect(result.target).toEqual({ events: 3, sha256: result.source.sha256 });
    }
    expect(await to.read('secret-1')).toEqual({ status: 'deleted' });
  });

  it('stays closed for good if an event says so, even if its stream was always empty', async () => {
    const from = await logOf(['thing-1', newEvents(2)], ['open-1', newEvents(1)]);
    await from.delete('never-1');
    const closes = ({ stream }: RecordedEvent) => (stream === 'thing-1' ? ['never-1', 'open-1', 'none-1'] : []);
    const to = rawEventStore();
    expect(await copyLog({ from, to, closes })).toMatchObject({ copied: 3, deleted: 1 });
    expect(await to.read('never-1')).toEqual({ status: 'deleted' });
    expect(await to.read('none-1')).toEqual({ status: 'missing' });
    // A run that crashed before closing it is completed by the next.
    const late = rawEventStore();
    await copyLog({ from, to: late });
    expect(await copyLog({ from, to: late, closes })).toMatchObject({ copied: 0, deleted: 1 });
  });
});

describe('a target that is not a prefix of the source', () => {
  const first = newEvents(3);
  const refused = async (from: EventStore, to: EventStore): Promise<string> => {
    const before = await wholeLog(to);
    const error = await refusal(copyLog({ from, to }));
    expect(error).toBeInstanceOf(CopyRefused);
    expect(await wholeLog(to)).toEqual(before);
    return error.message;
  };

  it('is refused with the first difference, and not changed', async () => {
    const from = await logOf(['thing-1', first], ['thing-2', newEvents(1)]);
    const other = newEvent('OtherThing');
    expect(await refused(from, await logOf(['thing-1', [...first.slice(0, 2), other]]))).toBe(
      `The target holds something else: its event 3 is OtherThing in thing-1 (${other.id}), where the source has ThingHappened in thing-1 (${first[2]?.id}). Name an empty target.`,
    );
    const changed = first.map((event, index) => (index === 1 ? { ...event, data: { n: 'another' } } : event));
    expect(await refused(from, await logOf(['thing-1', changed]))).toMatch(
      /its event 2 is ThingHappened in thing-1 .* but with another type, data or metadata/,
    );
    expect(await refused(from, await logOf(['thing-9', first]))).toMatch(/its event 1 is ThingHappened in thing-9/);
    expect(await refused(await logOf(['thing-1', first]), await logOf(['thing-1', [...first, other]]))).toMatch(
      /holds more than the source: its event 4 is OtherThing in thing-1/,
    );
  });

  it('is refused when the stream was deleted only there', async () => {
    const to = rawEventStore();
    await to.delete('thing-1');
    expect(await refused(await logOf(['thing-1', first]), to)).toMatch(
      /thing-1 is deleted for good at the target, but not at the source/,
    );
  });

  it('is detected when another process writes there or at the source meanwhile', async () => {
    const from = await logOf(['thing-1', first]);
    const to = rawEventStore();
    let intruded = false;
    const visited = Object.assign(Object.create(to) as EventStore, {
      async readTexts(options: ScanOptions) {
        // The copy is done: this is its check.
        if (!intruded && (await wholeLog(to)).length === 3) {
          intruded = true;
          await to.append('intruder', newEvents(1), { expected: 'any' });
        }
        return to.readTexts?.(options);
      },
    });
    expect((await refusal(copyLog({ from, to: visited }))).message).toMatch(
      /not equal: 3 events with SHA-256 [0-9a-f]{64} at the source, 4 events with SHA-256 [0-9a-f]{64} at the target/,
    );
    const again = rawEventStore();
    await copyLog({ from, to: again });
    const late = Object.assign(Object.create(again) as EventStore, {
      async readTexts(options: ScanOptions) {
        await from.append('late', newEvents(1), { expected: 'any' });
        return again.readTexts?.(options);
      },
    });
    expect((await refusal(copyLog({ from, to: late }))).message).toMatch(/source was written to while it was copied/);
  });
});

describe('an interrupted copy', () => {
  let child: ChildProcess | null = null;
  let folder: string | null = null;
  afterEach(() => {
    child?.kill('SIGKILL');
    if (folder) rmSync(folder, { recursive: true });
  });

  it('by its signal ends at once and continues with the rest', async () => {
    const from = await logOf(...Array.from({ length: 60 }, (_, n) => [`thing-${n % 7}`, newEvents(2)] as const));
    const to = rawEventStore();
    const stop = new AbortController();
    let appends = 0;
    const stopping = Object.assign(Object.create(to) as EventStore, {
      append(...input: Parameters<EventStore['append']>) {
        appends += 1;
        if (appends === 20) stop.abort(new Error('stopped by the test'));
        return to.append(...input);
      },
    });
    await expect(copyLog({ from, to: stopping, signal: stop.signal })).rejects.toThrow('stopped by the test');
    expect(appends).toBe(20);
    expect(await copyLog({ from, to })).toMatchObject({ copied: 80, target: { events: 120 } });
    await expect(copyLog({ from, to: rawEventStore(), signal: stop.signal })).rejects.toThrow('stopped by the test');
  });

  it(`by kill -9, ${KILLS} times at any point, continues to an equal log`, async () => {
    folder = mkdtempSync(join(tmpdir(), 'copy-log-'));
    const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')];
    const source = openSqliteEventStore({ file: from });
    const random = seededRandom(7);
    const events = () => newEvents(1 + Math.floor(random() * 3));
    for (let n = 0; n < 24; n++) {
      await Promise.all(
        Array.from({ length: 500 }, () =>
          source.append(`thing-${Math.floor(random() * 40)}`, events(), { expected: 'any' }),
        ),
      );
    }
    await source.delete('thing-3');
    const expected = contents(await wholeLog(source));
    await source.close();

    const script = fileURLToPath(new URL('./copyLogChild.ts', import.meta.url));
    const run = async (lines: number): Promise<readonly string[]> => {
      const copying = spawn(process.execPath, [bundled(script), from, to], { stdio: ['ignore', 'pipe', 'inherit'] });
      child = copying;
      const ended = once(copying, 'close');
      const said: string[] = [];
      for await (const line of createInterface({ input: copying.stdout })) {
        said.push(line);
        if (said.length === lines) copying.kill('SIGKILL');
      }
      await ended;
      return said;
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const said = await run(1 + Math.floor(random() * 400));
      expect(said.filter((line) => line.startsWith('copied'))).toEqual([]);
    }
    const left = await run(Number.POSITIVE_INFINITY);
    expect(left.at(-1)).toMatch(/^copied [1-9]/);
    const target = openSqliteEventStore({ file: to });
    expect(contents(await wholeLog(target))).toEqual(expected);
    await target.close();
  }, 240_000);
});
