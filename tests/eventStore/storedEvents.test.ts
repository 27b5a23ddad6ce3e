import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadState } from '../../src/commands/handle.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import type { EventMetadata } from '../../src/domain/stored/metadata.ts';
import { copyLog } from '../../src/eventStore/copyLog.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { jobs } from '../../src/projections/jobs.ts';
import { foldEvents, keyEvents } from '../../src/projector/projectionFold.ts';
import { rawEventStore } from '../given/stores/eventStore.ts';
import { logFolder, verified } from '../given/stores/logFiles.ts';
import { metadataAt } from '../given/stores/metadata.ts';

const AT = '2026-03-01T00:00:00.000Z';
const metadata = metadataAt(AT);
const queued = (data: object = { jobId: 'j', queuedAt: AT }, more: object = metadata) => ({
  id: crypto.randomUUID(),
  type: 'JobQueued',
  data,
  metadata: more as EventMetadata,
});

async function given(...events: readonly ReturnType<typeof queued>[]) {
  const raw = rawEventStore();
  for (const event of events) await raw.append('job-j', [event], { expected: 'any' });
  const store = withStoredEvents(raw);
  const read = async (): Promise<readonly RecordedEvent[]> => (await store.readAll()).events;
  return { raw, store, read };
}

describe('writing', () => {
  it('adds the version of the data', async () => {
    const { store, read } = await given();
    await store.append('job-j', [queued()], { expected: 'no_stream' });
    expect((await read())[0]?.metadata).toEqual({ ...metadata, schemaVersion: 1 });
  });

  it.each([
    [
      'a field that is missing',
      queued({ jobId: 'j' }),
      'JobQueued is not in the shape of its type: data.queuedAt (expected: string).',
    ],
    ['a field of another type', queued({ jobId: 'j', queuedAt: 5 }), 'data.queuedAt (expected: string)'],
    [
      'a field that nobody knows',
      queued({ jobId: 'j', queuedAt: AT, extra: 'SECRET' }),
      'nothing but the known fields (not extra)',
    ],
    ['an empty id', queued({ jobId: '', queuedAt: AT }), 'data.jobId (expected: at least 1)'],
    [
      'no actor',
      queued(undefined, { at: AT, correlationId: 'a', causationId: 'b' }),
      'metadata.actor (expected: object)',
    ],
    [
      'nothing that led to it',
      queued(undefined, { actor: metadata.actor, at: AT }),
      'metadata.correlationId (expected: string)',
    ],
    ['a type that nobody knows', { ...queued(), type: 'Unheard' }, 'type (expected: a registered type)'],
  ])('is refused with %s, and the error names only the place', async (_name, event, message) => {
    const { store, read } = await given();
    const refusal = await store
      .append('job-j', [queued(), event], { expected: 'any' })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'MALFORMED_EVENT', message: expect.stringContaining(message) });
    expect(String(refusal)).not.toContain('SECRET');
    expect(await read()).toEqual([]);
  });
});

describe('reading', () => {
  it.each([
    [
      'a user',
      { actor: 'user:ann', at: AT, causationId: 'c' },
      { actor: { kind: 'user', id: 'ann' }, correlationId: 'c', causationId: 'c' },
    ],
    [
      'a worker',
      { actor: 'worker:audit', at: AT, correlationId: 'r' },
      { actor: { kind: 'worker', id: 'audit' }, correlationId: 'r', causationId: 'r' },
    ],
    [
      'the system',
      { actor: 'system', at: AT, correlationId: 'r', causationId: 'c' },
      { actor: { kind: 'system', id: 'system' }, correlationId: 'r', causationId: 'c' },
    ],
    [
      'an operator',
      { actor: 'operator', at: AT, causationId: 'c' },
      { actor: { kind: 'system', id: 'operator' }, correlationId: 'c', causationId: 'c' },
    ],
  ])('upcasts an event of an earlier version that was %s', async (_name, old, expected) => {
    const { read, store } = await given(queued(undefined, old));
    expect((await read())[0]?.metadata).toEqual({ at: AT, ...expected });
    const messages = store.subscribe({ signal: AbortSignal.timeout(5_000) });
    for await (const message of messages) {
      if (message.kind !== 'events') continue;
      expect(message.events[0]?.metadata).toEqual({ at: AT, ...expected });
      break;
    }
  });

  it('names the event itself as the cause of an event without one', async () => {
    const event = queued(undefined, { actor: 'system', at: AT });
    const { read } = await given(event);
    expect((await read())[0]?.metadata).toMatchObject({ correlationId: event.id, causationId: event.id });
  });

  it('reads a missing actor as unknown', async () => {
    const { read } = await given(queued(undefined, { ...metadata, actor: null }));
    expect(await read()).toMatchObject([
      { metadata: { actor: { kind: 'system', id: 'unknown' }, correlationId: metadata.correlationId } },
    ]);
  });

  it('passes on an unknown event as it is, and marks it', async () => {
    const { read } = await given(
      queued(undefined, { ...metadata, schemaVersion: 2 }),
      { ...queued(), type: 'Unheard' },
      queued({ queuedAt: AT }),
      queued(),
    );
    expect((await read()).map(({ unreadable }) => unreadable)).toEqual([
      'its version is not known',
      'its type is not known',
      'its jobId is no id',
      undefined,
    ]);
  });

  it('an unreadable event stops one document, never the model', async () => {
    const { raw, store, read } = await given(queued({ queuedAt: AT }));
    await raw.append('job-k', [{ ...queued(), data: { jobId: 'k', queuedAt: AT } }], { expected: 'any' });
    const keyed = keyEvents(jobs, await read());
    expect(keyed.map(({ keys, failure }) => [keys, failure])).toEqual([
      [[], 'The event cannot be read: its jobId is no id.'],
      [['k'], null],
    ]);
    const folded = foldEvents(jobs, keyed, [], new Map());
    expect(folded.failures.map(({ documentId }) => documentId)).toEqual(['stream:job-j']);
    await expect(loadState(store, jobDecider, 'job-j')).rejects.toMatchObject({ code: 'UNREADABLE_EVENT' });
    expect((await loadState(store, jobDecider, 'job-k')).status).toBe('found');
  });
});

describe('reading a damaged log', () => {
  const folder = logFolder();
  beforeAll(async () => {
    const { store } = folder.open('events.db');
    for (const stream of ['job-j', 'job-k'])
      await store.append(stream, [queued({ jobId: stream.slice(4), queuedAt: AT })], { expected: 'no_stream' });
    await store.close();
  });
  afterAll(() => folder.remove());

  it.each([
    ['data that is not JSON', "data = '{'"],
    ['metadata that is not JSON', "metadata = ''"],
    ['no data', "data = 'null'"],
    ['no metadata', "metadata = 'null'"],
    ['data that is a text', `data = '"j"'`],
  ])('goes on after an event with %s', async (_name, change) => {
    const reason = 'it is not a JSON object';
    const copy = folder.damaged('events.db', (db) => db.exec(`UPDATE events SET ${change} WHERE stream = 'job-j'`));
    const { raw, store } = folder.open(copy);
    const { events } = await store.readAll();
    expect(events.map(({ stream, unreadable }) => [stream, unreadable])).toEqual([
      ['job-j', reason],
      ['job-k', undefined],
    ]);
    // Who wrote it, and when, is known if its metadata can be read.
    expect(events[0]?.metadata).toMatchObject(
      change.startsWith('metadata') ? { at: '', actor: { id: 'unknown' } } : { at: metadata.at, actor: metadata.actor },
    );
    expect((await store.scan?.({}))?.events.map(({ unreadable }) => unreadable)).toEqual([reason, undefined]);
    for await (const message of store.subscribe({ signal: AbortSignal.timeout(5_000) })) {
      expect(message).toMatchObject({ kind: 'events', events: [{ stream: 'job-j' }, { stream: 'job-k' }] });
      break;
    }
    expect((await loadState(store, jobDecider, 'job-k')).status).toBe('found');
    await expect(loadState(store, jobDecider, 'job-j')).rejects.toMatchObject({ code: 'UNREADABLE_EVENT' });
    // A copy would not contain what is stored.
    await expect(copyLog({ from: raw, to: rawEventStore() })).rejects.toMatchObject({ code: 'UNREADABLE_EVENT' });
    await store.close();
    expect((await folder.verify(copy)).found).toMatchObject([
      { check: 'shape', stream: 'job-j', text: expect.stringContaining(reason) },
    ]);
  });
});

describe('verifying a log', () => {
  it('names every invalid event and its position', async () => {
    const { raw } = await given(
      queued(),
      queued({ jobId: 'j', queuedAt: 'yesterday' }),
      queued(undefined, { ...metadata, schemaVersion: 9 }),
    );
    expect((await verified(raw)).found).toMatchObject([
      { check: 'shape', stream: 'job-j', revision: '1', type: 'JobQueued', text: 'data.queuedAt (expected: datetime)' },
      {
        check: 'shape',
        stream: 'job-j',
        revision: '2',
        text: 'event (expected: something readable: its version is not known)',
      },
    ]);
  });
});
