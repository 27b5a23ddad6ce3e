/** The files of one audit, stored as events in parts small enough for every store. */
import type { ReportFile } from '../../model/jobs.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { type CrawlEvent, MAX_PART_BYTES, type ReportEvent, type ReportPartWritten } from './events.ts';

/** Stores limit the total size of an append: EventStoreDB to 1 MiB by default. */
export const PARTS_AT_ONCE = 3;

/** A text up to the end of one of its parts: 53 bits (cyrb53), not cryptographic, and its characters. */
export type Digest = { readonly characters: number; readonly high: number; readonly low: number };

/** A part of a text, and what the text is up to its end. */
export type DigestedPart = { readonly text: string; readonly upTo: Digest };

/**
 * What is written of each file so far. Digests replace the texts, which may take many megabytes. `parts`: the total;
 * `attempt`: the one that wrote them, 0 for none.
 */
export type ReportState = Readonly<
  Record<string, { readonly parts: number; readonly written: readonly Digest[]; readonly attempt: number }>
>;

export type ReportCommand = {
  readonly type: 'WriteReportFile';
  readonly jobId: string;
  readonly userId: string;
  readonly name: ReportFile;
  readonly parts: readonly DigestedPart[];
  /** The audit's attempt that is writing. Writes of a superseded attempt are rejected. */
  readonly attempt?: number;
  readonly at: string;
};

export const reportDecider: Decider<ReportState, ReportCommand, ReportEvent> = {
  // A large file takes many appends, each of which would otherwise read the whole stream again.
  keptFrom: 6,
  initialState: () => ({}),
  evolve(state, event) {
    switch (event.type) {
      case 'ReportPartWritten': {
        const { file, part, parts, text, attempt = 0 } = event.data;
        const before = part === 0 ? [] : (state[file]?.written ?? []);
        const upTo = digestOf(text, before.at(-1));
        return { ...state, [file]: { parts, written: [...before, upTo], attempt } };
      }
      case 'ReportRowsWritten':
        return state;
      default:
        event satisfies never;
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'WriteReportFile':
        return write(command, state);
      default:
        return unreachable(command.type);
    }
  },
};

/** The next parts to write, as many as fit into one append; none when the file is complete. */
function write({ jobId, userId, name, parts, attempt, at }: ReportCommand, state: ReportState): readonly ReportEvent[] {
  if (attempt !== undefined && Object.values(state).some((file) => file.attempt > attempt)) throw replaced();
  if (isWritten(state, name, parts)) return [];
  const begun = state[name];
  const goesOn = begun?.parts === parts.length && begun.written.every((upTo, part) => same(upTo, parts[part]?.upTo));
  const from = goesOn ? begun.written.length : 0;
  return parts.slice(from, from + PARTS_AT_ONCE).map(({ text }, index) => ({
    type: 'ReportPartWritten',
    data: {
      jobId,
      userId,
      file: name,
      part: from + index,
      parts: parts.length,
      text,
      ...(attempt === undefined ? {} : { attempt }),
      writtenAt: at,
    },
  }));
}

/** For a superseded attempt of an audit. */
export const replaced = (): DomainError => new DomainError('JOB_TAKEN_OVER', 'Another worker has taken over the job.');

/** The whole text is written, in whatever parts. */
export function isWritten(state: ReportState, name: string, parts: readonly DigestedPart[]): boolean {
  return isComplete(state, name) && same(state[name]?.written.at(-1), parts.at(-1)?.upTo);
}

export function isComplete(state: ReportState, name: string): boolean {
  const file = state[name];
  return file !== undefined && file.written.length === file.parts;
}

/** The texts of a file's parts, as its events come. */
export type FileTexts = { readonly parts: number; readonly texts: readonly string[] };

export function withFilePart(known: FileTexts | null, { data: { part, parts, text } }: ReportPartWritten): FileTexts {
  return { parts, texts: part === 0 ? [text] : [...(known?.texts ?? []), text] };
}

function same(a: Digest | undefined, b: Digest | undefined): boolean {
  return a?.characters === b?.characters && a?.high === b?.high && a?.low === b?.low;
}

const NOTHING: Digest = { characters: 0, high: 0xdeadbeef, low: 0x41c6ce57 };

/** Of the text that goes on with this part. */
function digestOf(text: string, before: Digest = NOTHING): Digest {
  let { high, low } = before;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return { characters: before.characters + text.length, high, low };
}

/** The parts of a text one after another, so that others may come in between. */
export function* digestedParts(text: string): Generator<DigestedPart, void, void> {
  let upTo: Digest | undefined;
  for (const part of splitting(text, MAX_PART_BYTES)) {
    upTo = digestOf(part, upTo);
    yield { text: part, upTo };
  }
}

/** The texts of one name so far: where the last one begins, and the last complete one. */
export type CrawlTexts = {
  readonly begun: { readonly at: bigint; readonly count: number } | null;
  readonly complete: { readonly at: bigint; readonly parts: number } | null;
};

export const NO_CRAWL_TEXTS: CrawlTexts = { begun: null, complete: null };

/** Takes the events of one name in their order; `at`: the revision of each. */
export function withCrawlPart(texts: CrawlTexts, at: bigint, { data: { part, parts } }: CrawlEvent): CrawlTexts {
  const begun = part === 0 || texts.begun === null ? { at, count: 0 } : texts.begun;
  const count = begun.count + 1;
  return {
    begun: { at: begun.at, count },
    complete: count === parts ? { at: begun.at, parts } : texts.complete,
  };
}

/**
 * Cuts a text into parts of at most `maxBytes` of UTF-8 once JSON-encoded, never inside a code point. An empty text is
 * one empty part.
 */
export function splitText(text: string, maxBytes: number = MAX_PART_BYTES): readonly string[] {
  return [...splitting(text, maxBytes)];
}

function* splitting(text: string, maxBytes: number): Generator<string, void, void> {
  let start = 0;
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    const size = jsonBytes(point);
    if (bytes + size > maxBytes && at > start) {
      yield text.slice(start, at);
      start = at;
      bytes = 0;
    }
    bytes += size;
    at += point > 0xffff ? 2 : 1;
  }
  yield text.slice(start);
}

/** Bytes of a code point in a JSON string, where quotes, control characters and lone surrogates are escaped. */
function jsonBytes(point: number): number {
  if (point === 0x22 || point === 0x5c) return 2;
  if (point < 0x20) return point >= 0x08 && point <= 0x0d && point !== 0x0b ? 2 : 6;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  if (point >= 0xd800 && point <= 0xdfff) return 6;
  return point > 0xffff ? 4 : 3;
}
