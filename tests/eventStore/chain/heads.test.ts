import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashOf } from '../../../src/eventStore/chain/eventHash.ts';
import { createHeads } from '../../../src/eventStore/chain/heads.ts';
import type { RecordedEvent, StreamRead } from '../../../src/eventStore/eventStore.ts';
import { toPosition } from '../../../src/eventStore/positions.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const MOST = 32;

function eventAt(stream: string, revision: number): RecordedEvent {
  const metadata = metadataAt('2026-03-01T00:00:00.000Z');
  return {
    id: randomUUID(),
    type: 'Written',
    data: { revision },
    metadata,
    stream,
    revision: BigInt(revision),
    position: toPosition(BigInt(revision)),
  };
}

const found = (...events: readonly RecordedEvent[]): StreamRead => ({
  status: 'found',
  events,
  revision: events.at(-1)?.revision ?? 0n,
});

it('remembers the ends of the streams read last', () => {
  const heads = createHeads();
  const ends = Array.from({ length: MOST + 1 }, (_, index) => eventAt(`job-${index}`, 3));
  for (const end of ends) {
    heads.saw(end.stream, found(eventAt(end.stream, 2), end));
    heads.saw('job-0', found(ends[0] as RecordedEvent));
  }
  expect(heads.of('job-1')).toBeNull();
  for (const end of [ends[0], ...ends.slice(2)])
    expect(end && heads.of(end.stream)).toEqual({ revision: 3n, hash: end && hashOf(end) });
});

it('has the latest end of a stream whatever is read of it, and none once it is forgotten', () => {
  const heads = createHeads();
  const [first, second, third] = [eventAt('job-1', 1), eventAt('job-1', 2), eventAt('job-1', 3)];
  heads.saw('job-1', { status: 'found', events: [second, first], revision: 2n });
  expect(heads.of('job-1')?.revision).toBe(2n);
  heads.saw('job-1', found(first, second, third));
  heads.saw('job-1', found(first, second));
  heads.saw('job-1', { status: 'found', events: [first], revision: 3n });
  expect(heads.of('job-1')).toEqual({ revision: 3n, hash: hashOf(third) });
  heads.forget('job-1');
  expect(heads.of('job-1')).toBeNull();
});
