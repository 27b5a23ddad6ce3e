/** The environment of one audit job: its view of the outside world, and the state shared by its steps. */

import type { Assess } from '../audit/assessment.ts';
import type { ParsePage } from '../audit/facts/parse/parsePage.ts';
import type { CommandContext } from '../commands/context.ts';
import type { JobCommand } from '../domain/job/decide.ts';
import type { JobFacts } from '../domain/job/job.ts';
import type { LiveFeed } from '../domain/job/liveFeed.ts';
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
  /** A separate fetcher per job, so that no connection outlives it. */
  readonly openFetcher: () => Fetcher & { close(): Promise<void> };
  readonly parse: ParsePage;
  /** Renders pages filled by scripts, with all requests through this fetcher; absent without a browser. */
  readonly renderThrough?: (fetch: Fetcher) => RenderPage;
  readonly analyst: Analyst;
  readonly userAgent: string;
  /** Where sites are judged; default: in this thread, in slices. */
  readonly assess?: Assess;
  /** Pages are also requested as a phone and as Googlebot; default true. */
  readonly askAsOthers?: boolean;
  /** What may be kept of the site in memory, bytes; default: `SITE_BYTES`. */
  readonly siteBytes?: number;
  /** Addresses that the owner's former audit of that site asked for, as of a time (UTC ISO); absent: none is known. */
  readonly formerPages?: (of: {
    readonly userId: string;
    readonly host: string;
    readonly before: string;
  }) => Promise<readonly string[]>;
  /** Whether somebody waits for the slot of this audit; absent if it has none. */
  readonly isSlotWanted?: () => Promise<boolean>;
  /** Called every second during a crawl; absent if nothing shows it. */
  readonly liveProgress?: LiveProgress;
  /** Told of each address as it is read; absent if nothing shows them. */
  readonly liveFeed?: Omit<LiveFeed, 'read'>;
  /** Logs how a language model's responses were used. */
  readonly log?: { info(fields: object, text: string): void };
};

/** A job command without the attempt and the time, which are added. */
export type Recorded = JobCommand extends infer Command
  ? Command extends { readonly attempt?: number }
    ? Omit<Command, 'attempt' | 'at'>
    : never
  : never;

/** State shared by the steps. */
export type JobRun = {
  readonly deps: AuditJobDeps;
  /** With the current attempt. */
  readonly job: JobFacts & { readonly attempt: number; readonly slotsGivenUp: number };
  readonly fetch: Fetcher;
  /** Aborted when the job is cancelled, its lease is lost, or the worker stops. */
  readonly signal: AbortSignal;
  /** When it got its slot, by the clock. */
  readonly slotSince: number;
  /** Time with a slot so far, and what remains of it, in milliseconds. */
  readonly spent: () => number;
  readonly remaining: () => number;
  readonly context: () => CommandContext;
  readonly record: (command: Recorded) => Promise<void>;
  readonly data: WorkingData;
};
