/**
 * EventStoreDB's rules for writes: expected revisions, its narrow idempotency by event id, soft deletion and
 * tombstones.
 */
import type { EventLog } from './log.ts';
import {
  DELETED,
  jsonEvent,
  jsonOf,
  METADATA_TYPE,
  metaStreamOf,
  type ProposedEvent,
  sizeOf,
  tombstoneEvent,
} from './records.ts';

export type Expected = bigint | 'no_stream' | 'stream_exists' | 'any';

export type WriteAnswer =
  /** `revision` is -1n when the stream is empty; `position` is absent when nothing was written. */
  | { readonly kind: 'written'; readonly revision: bigint; readonly position?: bigint; readonly repeated: boolean }
  | { readonly kind: 'wrongRevision'; readonly current: bigint }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'tooLarge' };

type Check = { readonly kind: 'ok' } | WriteAnswer;

const NO_STREAM = -1n;

export class Writer {
  readonly maxAppendBytes: number;
  private readonly log: EventLog;
  /** The newest ids and their positions: they make a repeated `any` append recognizable for a while. */
  private readonly recent = new Map<string, { stream: string; revision: bigint; position: bigint }>();
  private readonly recentIds: number;

  constructor(log: EventLog, { maxAppendBytes = 1024 * 1024, recentIds = 10_000 } = {}) {
    this.log = log;
    this.maxAppendBytes = maxAppendBytes;
    this.recentIds = recentIds;
  }

  append(stream: string, events: readonly ProposedEvent[], expected: Expected): WriteAnswer {
    if (events.reduce((sum, event) => sum + sizeOf(event), 0) > this.maxAppendBytes) return { kind: 'tooLarge' };
    const check = this.check(
      stream,
      expected,
      events.map((event) => event.id),
    );
    if (check.kind !== 'ok') return check;
    const undeleteFrom = this.log.isSoftDeleted(stream) ? this.log.lastRevision(stream) + 1n : null;
    if (events.length === 0) return { kind: 'written', revision: this.log.lastRevision(stream), repeated: false };
    const written = this.log.write(stream, events);
    for (const event of written) this.remember(event.id, event);
    // A soft-deleted stream shows only the new events after the next write: the server itself moves $tb there.
    if (undeleteFrom !== null) this.moveTruncateBefore(stream, undeleteFrom);
    const last = written.at(-1);
    return {
      kind: 'written',
      revision: last?.revision ?? NO_STREAM,
      ...(last && { position: last.position }),
      repeated: false,
    };
  }

  /** Soft: hides everything so far, whatever the stream's metadata said before. */
  delete(stream: string, expected: Expected): WriteAnswer {
    const event = jsonEvent(METADATA_TYPE, {});
    const check = this.check(stream, expected, [event.id]);
    if (check.kind !== 'ok') return check;
    const data = new TextEncoder().encode(`{"$tb":${DELETED}}`);
    const [written] = this.log.write(metaStreamOf(stream), [{ ...event, data }]);
    return {
      kind: 'written',
      revision: this.log.lastRevision(stream),
      ...(written && { position: written.position }),
      repeated: false,
    };
  }

  /** Permanently. */
  tombstone(stream: string, expected: Expected): WriteAnswer {
    const event = tombstoneEvent();
    const check = this.check(stream, expected, [event.id]);
    if (check.kind !== 'ok') return check;
    const [written] = this.log.write(stream, [event], DELETED);
    return { kind: 'written', revision: DELETED, ...(written && { position: written.position }), repeated: false };
  }

  private check(stream: string, expected: Expected, ids: readonly string[]): Check {
    const current = this.log.lastRevision(stream);
    if (this.log.isTombstoned(stream)) return { kind: 'deleted' };
    if (expected === 'stream_exists') {
      if (this.log.isSoftDeleted(stream)) return { kind: 'deleted' };
      if (current < 0n && this.log.lastRevision(metaStreamOf(stream)) < 0n) return { kind: 'wrongRevision', current };
    }
    if (expected === 'any' || expected === 'stream_exists') return this.checkRecent(stream, ids, current);
    const revision = expected === 'no_stream' ? NO_STREAM : expected;
    if (revision === current) return { kind: 'ok' };
    if (revision > current) return { kind: 'wrongRevision', current };
    return this.checkWritten(stream, ids, revision, current);
  }

  /** Without an exact revision only the newest ids are known, so a late retry is written again. */
  private checkRecent(stream: string, ids: readonly string[], current: bigint): Check {
    const known = ids.map((id) => this.recent.get(id)).map((found) => (found?.stream === stream ? found : undefined));
    if (!known[0]) return { kind: 'ok' };
    const last = known.at(-1);
    if (!last || known.includes(undefined)) return { kind: 'wrongRevision', current };
    return { kind: 'written', revision: last.revision, position: last.position, repeated: true };
  }

  /** The stream has grown since `revision`: accepted if the following events are exactly those being sent. */
  private checkWritten(stream: string, ids: readonly string[], revision: bigint, current: bigint): Check {
    const first = revision === NO_STREAM ? this.log.firstRevision(stream) : revision + 1n;
    const there = ids.map((id, index) => {
      const event = this.log.stored(stream, first + BigInt(index));
      return event?.id === id ? event : undefined;
    });
    const last = there.at(-1);
    if (last && !there.includes(undefined))
      return { kind: 'written', revision: last.revision, position: last.position, repeated: true };
    if (!there[0] && revision === NO_STREAM && this.log.isSoftDeleted(stream)) return { kind: 'ok' };
    return { kind: 'wrongRevision', current };
  }

  private remember(id: string, at: { stream: string; revision: bigint; position: bigint }): void {
    this.recent.set(id, { stream: at.stream, revision: at.revision, position: at.position });
    if (this.recent.size <= this.recentIds) return;
    const oldest = this.recent.keys().next();
    if (!oldest.done) this.recent.delete(oldest.value);
  }

  private moveTruncateBefore(stream: string, revision: bigint): void {
    const meta = metaStreamOf(stream);
    const [last] = this.log.backward(meta, this.log.lastRevision(meta), 1).events;
    const { $tb: _, ...rest } = (last ? jsonOf(last) : {}) as Record<string, unknown>;
    const others = JSON.stringify(rest).slice(1, -1);
    const data = new TextEncoder().encode(`{"$tb":${revision}${others && `,${others}`}}`);
    this.log.write(meta, [{ ...jsonEvent(METADATA_TYPE, {}), data }]);
  }
}
