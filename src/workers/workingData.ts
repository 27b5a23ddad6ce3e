/**
 * Data that a running job's steps leave for later ones: compressed in the job's working stream, and in memory while the
 * worker has it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { KnownAnswer } from '../audit/crawl/crawlEnv.ts';
import type { Crawl, Discovery } from '../audit/crawl/site.ts';
import type { CommandContext } from '../commands/context.ts';
import { loadCrawlPart, saveCrawlPart } from '../commands/job/crawlParts.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import type { AnalystAction, Written } from '../integrations/analyst/analyst.ts';

export type WorkingParts = {
  readonly discovery: Discovery;
  readonly crawl: Crawl;
  readonly answers: AnswersSoFar;
  /** Of the checks whose findings were written. */
  readonly checked: { readonly cutShort: boolean };
  readonly analysis: Written<string>;
  readonly recommendations: Written<readonly AnalystAction[]>;
  readonly summary: Written<string>;
};

/** What a crawl had received when its audit gave up its slot; times in ms. */
export type AnswersSoFar = {
  readonly answers: readonly (readonly [url: string, answer: KnownAnswer])[];
  /** All time with a slot, and how much of it was the crawl. */
  readonly spentMs: number;
  readonly crawledMs: number;
  /** When the crawl began, UTC ISO. */
  readonly startedAt: string;
};

export type WorkingData = {
  save<Name extends keyof WorkingParts>(name: Name, value: WorkingParts[Name]): Promise<void>;
  /** Null if no worker has got that far. */
  load<Name extends keyof WorkingParts>(name: Name): Promise<WorkingParts[Name] | null>;
  /** Data that a completed step must have left. */
  need<Name extends keyof WorkingParts>(name: Name): Promise<WorkingParts[Name]>;
};

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** `attempt`: the audit's attempt; once another has replaced it, nothing more is saved. */
export function openWorkingData(
  store: EventStore,
  { jobId, attempt }: { readonly jobId: string; readonly attempt: number },
  context: () => CommandContext,
): WorkingData {
  const held = new Map<keyof WorkingParts, unknown>();

  async function load<Name extends keyof WorkingParts>(name: Name): Promise<WorkingParts[Name] | null> {
    if (!held.has(name)) {
      const text = await loadCrawlPart(store, jobId, name);
      if (text === null) return null;
      held.set(name, JSON.parse((await unpack(Buffer.from(text, 'base64'))).toString('utf8')));
    }
    return held.get(name) as WorkingParts[Name];
  }

  return {
    load,
    async save(name, value) {
      held.set(name, value);
      const packed = await pack(Buffer.from(await jsonInSlices(value)), { level: 1 });
      await saveCrawlPart(context(), { jobId, name, text: packed.toString('base64'), attempt });
    },
    async need(name) {
      const value = await load(name);
      if (value === null) throw new Error(`The working data "${name}" of job ${jobId} is missing.`);
      return value;
    },
  };
}

/** Characters per slice, so that requests are answered while the facts of a large site are serialized. */
const SLICE_CHARACTERS = 256 * 1024;

/** JSON.stringify, but one list item at a time. */
async function jsonInSlices(value: object): Promise<string> {
  let sinceYield = 0;
  const entries: string[] = [];
  for (const [key, field] of Object.entries(value)) {
    if (!Array.isArray(field)) {
      const text = JSON.stringify(field);
      if (text !== undefined) entries.push(`${JSON.stringify(key)}:${text}`);
      continue;
    }
    const items: string[] = [];
    for (const item of field) {
      const text = JSON.stringify(item) ?? 'null';
      items.push(text);
      sinceYield += text.length;
      if (sinceYield < SLICE_CHARACTERS) continue;
      sinceYield = 0;
      await turn();
    }
    entries.push(`${JSON.stringify(key)}:[${items.join(',')}]`);
  }
  return `{${entries.join(',')}}`;
}
