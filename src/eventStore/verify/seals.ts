/** A checkpoint's view of a log: the hash of every event it contained, in order. About 45 bytes of memory per event. */
import type { Position, RecordedEvent } from '../eventStore.ts';
import type { Pace } from '../pacing.ts';
import { type Fault, faultAt } from './fault.ts';
import { EVERYTHING, isIn, type Share } from './share.ts';

export type Seal = {
  readonly position: Position;
  readonly revision: string;
  readonly hash: string;
  readonly stream: string;
};

/** 128 bits: finding another event with the same ones is infeasible. */
const KEPT_BYTES = 16;

/** `share`: the events whose hashes are kept and compared with a log. */
export function createSeals(share: Share = EVERYTHING) {
  const streams: string[] = [];
  const numbers = new Map<string, number>();
  let capacity = 1 << 12;
  let hashes = Buffer.alloc(capacity * KEPT_BYTES);
  let streamOf = new Uint32Array(capacity);
  let revisions = new Float64Array(capacity);
  let positions = new Float64Array(capacity);
  let count = 0;
  return {
    add({ position, revision, hash, stream }: Seal): void {
      const bytes = Buffer.from(hash, 'base64url');
      if (!isIn(share, keyOf(bytes))) return;
      if (count === capacity) {
        capacity *= 2;
        hashes = Buffer.concat([hashes, Buffer.alloc(hashes.length)]);
        streamOf = doubled(streamOf, new Uint32Array(capacity));
        revisions = doubled(revisions, new Float64Array(capacity));
        positions = doubled(positions, new Float64Array(capacity));
      }
      let number = numbers.get(stream);
      if (number === undefined) {
        number = streams.push(stream) - 1;
        numbers.set(stream, number);
      }
      bytes.copy(hashes, count * KEPT_BYTES, 0, KEPT_BYTES);
      streamOf[count] = number;
      revisions[count] = Number(revision);
      positions[count] = Number(position);
      count += 1;
    },
    sealed(): Sealed {
      return { share, streams, numbers, hashes, streamOf, revisions, positions, count };
    },
  };
}

/** Different bits from those used to look up a hash. */
const keyOf = (bytes: Buffer): number => bytes.readUInt32LE(4);

type Numbers = { set(from: ArrayLike<number>): void };

function doubled<Into extends Numbers>(from: ArrayLike<number>, into: Into): Into {
  into.set(from);
  return into;
}

export type Sealed = {
  readonly share: Share;
  readonly streams: readonly string[];
  /** Stream numbers, by name. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly hashes: Buffer;
  readonly streamOf: Uint32Array;
  readonly revisions: Float64Array;
  readonly positions: Float64Array;
  readonly count: number;
};

/**
 * Whether missing sealed events of a stream may have been erased. `isAllGone`: none of them is left. `isClosed`: an
 * event says that the stream was deleted.
 */
export type IsErased = (
  stream: string,
  gone: { readonly isAllGone: boolean; readonly isClosed: boolean },
) => Promise<boolean>;

type End = { readonly isErased: IsErased; readonly pace: Pace; readonly reportFault: (fault: Fault) => void };

/** Limit of reported events that the checkpoint does not know although later ones are known to it. */
const MOST_UNKNOWN = 1_000;

/** Takes the events of the log in order, and reports at the end what is missing. */
export function compareWith(sealed: Sealed) {
  const find = lookUp(sealed);
  const seen = new Uint8Array(sealed.count);
  const closed = new Uint8Array(sealed.streams.length);
  /** Events since the last one known to the checkpoint: new, unless another known one follows. */
  let unknown: Fault[] = [];
  /** Where such events were reported: what stood there before needs no report of its own. */
  const replaced = new Set<string>();
  let last = -1;
  let erased = 0;

  function take(event: RecordedEvent, hash: string): readonly Fault[] {
    const bytes = Buffer.from(hash, 'base64url');
    if (!isIn(sealed.share, keyOf(bytes))) return [];
    const index = find(bytes);
    if (index < 0) {
      if (unknown.length < MOST_UNKNOWN)
        unknown.push(faultAt(event, 'checkpoint', 'It was not there like this when the checkpoint was made.'));
      return [];
    }
    const faults = unknown;
    unknown = [];
    for (const { stream, revision } of faults) replaced.add(placeOf(stream, revision));
    seen[index] = 1;
    if (index > last) last = index;
    else
      faults.push(
        faultAt(event, 'checkpoint', 'When the checkpoint was made, it came before events that it now comes after.'),
      );
    return faults;
  }

  /** An event of the log says that this stream is deleted. */
  function close(stream: string): void {
    const number = sealed.numbers.get(stream);
    if (number !== undefined) closed[number] = 1;
  }

  async function end({ isErased, pace, reportFault }: End): Promise<void> {
    const isLeft = leftStreams(sealed, seen);
    const met = new Uint8Array(sealed.streams.length);
    const known = new Map<string, boolean>();
    for (let index = 0; index < sealed.count; index += 1) {
      if (pace.isDue()) await pace.pass();
      const number = sealed.streamOf[index] ?? 0;
      const stream = sealed.streams[number] ?? '';
      if (seen[index] === 1) {
        met[number] = 1;
        continue;
      }
      // Events are never erased from the middle of a stream.
      if (met[number] === 0 && !known.has(stream)) {
        known.set(stream, await isErased(stream, { isAllGone: isLeft[number] === 0, isClosed: closed[number] === 1 }));
      }
      if (met[number] === 0 && known.get(stream)) erased += 1;
      else if (!replaced.has(placeOf(stream, String(sealed.revisions[index]))))
        reportFault(missing(sealed, index, stream));
    }
  }

  /** Whether an event with that hash was in the log, as far as the kept part of the checkpoint can tell. */
  function mayKnow(hash: string): boolean {
    const bytes = Buffer.from(hash, 'base64url');
    return !isIn(sealed.share, keyOf(bytes)) || find(bytes) >= 0;
  }

  return { take, close, mayKnow, end, erased: () => erased };
}

const placeOf = (stream: string, revision: string): string => `${revision} ${stream}`;

/** Which streams still have an event that the checkpoint knows. */
function leftStreams({ streams, streamOf, count }: Sealed, seen: Uint8Array): Uint8Array {
  const left = new Uint8Array(streams.length);
  for (let index = 0; index < count; index += 1) if (seen[index] === 1) left[streamOf[index] ?? 0] = 1;
  return left;
}

function missing({ positions, revisions }: Sealed, index: number, stream: string): Fault {
  const position = String(positions[index] ?? 0).padStart(20, '0');
  const text =
    'When the checkpoint was made an event stood there that is gone or was changed, and nothing says that it was erased.';
  return { check: 'checkpoint', position, stream, revision: String(revisions[index] ?? 0), type: '-', text };
}

function lookUp({ hashes, count }: Sealed): (bytes: Buffer) => number {
  let size = 1 << 4;
  while (size < count * 2) size *= 2;
  const slots = new Uint32Array(size);
  const slotOf = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) & (size - 1);
  for (let index = 0; index < count; index += 1) {
    let slot = slotOf(hashes, index * KEPT_BYTES);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = index + 1;
  }
  return (bytes) => {
    for (let slot = slotOf(bytes, 0); ; slot = (slot + 1) & (size - 1)) {
      const index = (slots[slot] ?? 0) - 1;
      if (index < 0) return -1;
      if (hashes.compare(bytes, 0, KEPT_BYTES, index * KEPT_BYTES, (index + 1) * KEPT_BYTES) === 0) return index;
    }
  };
}
