/**
 * Data that a running job's steps leave for later ones: compressed in the job's working stream, and in memory while the
 * worker has it.
 */
import type { KnownAnswer } from '../audit/crawl/crawlEnv.ts';
import type { Crawl, Discovery } from '../audit/crawl/site.ts';
import type { CommandContext } from '../commands/context.ts';
import { loadCrawlPart, saveCrawlPart } from '../commands/job/crawlParts.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import type { AnalystAction, Written } from '../integrations/analyst/analyst.ts';
import { packed, unpacked } from './packedParts.ts';

export type WorkingParts = {
  readonly discovery: Discovery;
  /** Addresses that the former audit of the site asked for. */
  readonly former: readonly string[];
  readonly crawl: Crawl;
  readonly answers: AnswersSoFar;
  /** Of the checks whose findings were written. `judged`: by what was read of its pages; earlier versions left it out. */
  readonly checked: { readonly cutShort: boolean; readonly judged?: boolean };
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

/** `attempt`: the audit's attempt; once another has replaced it, nothing more is saved. */
export function openWorkingData(
  store: EventStore,
  { jobId, attempt }: { readonly jobId: string; readonly attempt: number },
  context: () => CommandContext,
): WorkingData {
  const held = new Map<keyof WorkingParts, unknown>();

  async function load<Name extends keyof WorkingParts>(name: Name): Promise<WorkingParts[Name] | null> {
    if (!held.has(name)) {
      const texts = await loadCrawlPart(store, jobId, name);
      if (texts === null) return null;
      held.set(name, await unpacked(texts));
    }
    return held.get(name) as WorkingParts[Name];
  }

  return {
    load,
    async save(name, value) {
      held.set(name, value);
      const { count, texts } = await packed(value);
      await saveCrawlPart(context(), { jobId, name, parts: count, texts, attempt });
    },
    async need(name) {
      const value = await load(name);
      if (value === null) throw new Error(`The working data "${name}" of job ${jobId} is missing.`);
      return value;
    },
  };
}
