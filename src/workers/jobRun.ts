/** What one audit job is run with: the outside world as it sees it, and what its steps share. */

import type { ParsePage } from '../audit/facts/parse/parsePage.ts';
import type { CommandContext } from '../commands/context.ts';
import type { JobCommand } from '../domain/job/decide.ts';
import type { JobFacts } from '../domain/job/job.ts';
import type { LiveProgress } from '../domain/job/liveProgress.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import type { Analyst } from '../integrations/analyst/analyst.ts';
import type { Fetcher } from '../model/fetching.ts';
import type { RenderPage } from '../model/rendering.ts';
import type { WorkingData } from './workingData.ts';

export type AuditJobDeps = {
  readonly store: EventStore;
  /** UTC ISO. */
  readonly now: () => string;
  /** Milliseconds, for budgets. */
  readonly clock: () => number;
  /** UUID. */
  readonly newId: () => string;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A fetcher of the job's own, so that no connection outlives it. */
  readonly openFetcher: () => Fetcher & { close(): Promise<void> };
  readonly parse: ParsePage;
  /** Shows pages that scripts fill, with all requests through this fetcher; absent without a browser. */
  readonly renderThrough?: (fetch: Fetcher) => RenderPage;
  readonly analyst: Analyst;
  readonly userAgent: string;
  /** Called each second of a crawl; absent where nobody of the process listens. */
  readonly liveProgress?: LiveProgress;
  /** What became of a language model's answers. */
  readonly log?: { info(fields: object, text: string): void };
};

/** What a worker says of the job it runs; the attempt and the time are added. */
export type Recorded = JobCommand extends infer Command ? (Command extends { readonly attempt?: number } ? Omit<Command, 'attempt' | 'at'> : never) : never;

/** What the steps share. */
export type JobRun = {
  readonly deps: AuditJobDeps;
  /** With the try that this is. */
  readonly job: JobFacts & { readonly attempt: number };
  readonly fetch: Fetcher;
  /** Aborted when the job is cancelled, its lease is lost, or the worker stops. */
  readonly signal: AbortSignal;
  /** Milliseconds of the job's time that are left. */
  readonly remaining: () => number;
  readonly context: () => CommandContext;
  readonly record: (command: Recorded) => Promise<void>;
  readonly data: WorkingData;
};
