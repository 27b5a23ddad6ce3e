/** The files of one audit, stored as events in parts small enough for every store. */
import type { ReportFile } from '../../model/jobs.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import { type CrawlEvent, MAX_PART_BYTES, type ReportEvent } from './events.ts';

/** Stores limit the total size of an append: EventStoreDB to 1 MiB by default. */
export const PARTS_AT_ONCE = 3;

/** The parts of each file written so far; `parts`: the total; `attempt`: the one that wrote them, 0 for none. */
export type ReportState = Readonly<
  Record<string, { readonly parts: number; readonly texts: readonly string[]; readonly attempt: number }>
>;

export type ReportCommand = {
  readonly type: 'WriteReportFile';
  readonly jobId: string;
  readonly userId: string;
  readonly name: ReportFile;
  readonly text: string;
  /** The audit's attempt that is writing. Writes of a superseded attempt are rejected. */
  readonly attempt?: number;
  readonly at: string;
};

export const reportDecider: Decider<ReportState, ReportCommand, ReportEvent> = {
  initialState: () => ({}),
  evolve(state, event) {
    switch (event.type) {
      case 'ReportPartWritten': {
        const { file, part, parts, text, attempt = 0 } = event.data;
        return {
          ...state,
          [file]: { parts, texts: part === 0 ? [text] : [...(state[file]?.texts ?? []), text], attempt },
        };
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
function write({ jobId, userId, name, text, attempt, at }: ReportCommand, state: ReportState): readonly ReportEvent[] {
  if (attempt !== undefined && Object.values(state).some((file) => file.attempt > attempt)) throw replaced();
  if (fileText(state, name) === text) return [];
  const texts = splitText(text);
  const begun = state[name];
  const goesOn = begun?.parts === texts.length && begun.texts.every((partText, part) => partText === texts[part]);
  const from = goesOn ? begun.texts.length : 0;
  return texts.slice(from, from + PARTS_AT_ONCE).map((partText, index) => ({
    type: 'ReportPartWritten',
    data: {
      jobId,
      userId,
      file: name,
      part: from + index,
      parts: texts.length,
      text: partText,
      ...(attempt === undefined ? {} : { attempt }),
      writtenAt: at,
    },
  }));
}

/** For a superseded attempt of an audit. */
export const replaced = (): DomainError => new DomainError('JOB_TAKEN_OVER', 'Another worker has taken over the job.');

/** Null if the file is missing or incomplete. */
export function fileText(state: ReportState, name: string): string | null {
  const file = state[name];
  return file !== undefined && file.texts.length === file.parts ? file.texts.join('') : null;
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
  const parts: string[] = [];
  let start = 0;
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    const size = jsonBytes(point);
    if (bytes + size > maxBytes && at > start) {
      parts.push(text.slice(start, at));
      start = at;
      bytes = 0;
    }
    bytes += size;
    at += point > 0xffff ? 2 : 1;
  }
  parts.push(text.slice(start));
  return parts;
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
