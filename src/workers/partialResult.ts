/** How a job ends whose steps are all done: in full or in part, and why. */
import { plural } from '../audit/checks/evidence.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import type { Recorded } from './jobRun.ts';

export type DoneJob = {
  readonly coverage: Pick<Crawl['coverage'], 'stop' | 'notFetched' | 'askedToWait'>;
  readonly maxPages: number;
  /** The time ran out before every check had run. */
  readonly checksCutShort: boolean;
  /** Why the built-in rules wrote a text in place of the model, for each such text. */
  readonly modelFailures: readonly string[];
};

/**
 * What was not audited decides the outcome: a reader must know that first. The reason has a sentence for every cause,
 * the gravest first.
 */
export function endingOf(job: DoneJob): Recorded {
  const notAudited = [crawlText(job), checksText(job)].filter((text) => text !== null);
  const model = modelText(job);
  const reason = [...notAudited, ...(model === null ? [] : [model])].join(' ');
  if (notAudited.length > 0)
    return { type: 'CompleteJobPartially', reason, ...(model === null ? {} : { modelFailed: true }) };
  return model === null ? { type: 'CompleteJob' } : { type: 'SucceedJobPartially', reason };
}

function crawlText({ coverage: { stop, notFetched, askedToWait }, maxPages }: DoneJob): string | null {
  if (stop === 'complete') return null;
  const limit = {
    page_budget: `Stopped at the ${maxPages}-page limit`,
    time_budget: 'Stopped at the time limit',
    byte_budget: 'Stopped at the data limit',
    cancelled: 'The crawl was stopped',
  }[stop];
  const why =
    stop === 'time_budget' && askedToWait !== undefined ? `, as the site asked to wait (HTTP ${askedToWait})` : '';
  return `${limit}${why}; ${plural(notFetched, 'more page was', 'more pages were')} found but not audited.`;
}

function checksText({ checksCutShort }: DoneJob): string | null {
  return checksCutShort
    ? 'The time ran out before all checks had run on all pages. The report lists what was not checked.'
    : null;
}

function modelText({ modelFailures }: DoneJob): string | null {
  const distinct = [...new Set(modelFailures.map((why) => why.replace(/\.$/, '')))];
  return distinct.length === 0
    ? null
    : `The language model failed (${distinct.join('; ')}), so the built-in analyst wrote part of the texts.`;
}
