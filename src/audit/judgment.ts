/** What an audit says of a site: its findings and score, as far as the crawl can bear them out. Pure. */
import type { Finding } from '../model/findings.ts';
import type { NotJudgedReason } from '../model/scores.ts';
import type { CheckOutcome } from './checks/check.ts';
import type { Crawl } from './crawl/site.ts';
import { standing } from './judged.ts';
import { namingRoots } from './rootCauses.ts';
import { type Score, scoring, withImpacts } from './score.ts';
import { atOnce, type Pausable } from './timeSlices.ts';

export type Judgment = {
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  /** Null if the site was not judged, or nothing of it was read. */
  readonly score: Score | null;
  /** Why it was not judged; null if it was, or nothing was read. */
  readonly notJudged: NotJudgedReason | null;
  /** robots.txt forbids every crawler to read the site. */
  readonly shut: boolean;
};

/** All that may be said of a site of which only robots.txt was read; the first is its headline. */
const OF_ROBOTS: ReadonlySet<string> = new Set(['robots-blocks-all', 'robots-syntax', 'robots-too-large']);
const OF_SHELLS: ReadonlySet<string> = new Set(['js-only-content']);
const NOTHING: ReadonlySet<string> = new Set();

/** Without pausing. */
export function judge(crawl: Crawl, findings: readonly Finding[], outcomes: readonly CheckOutcome[]): Judgment {
  return atOnce(judging(crawl, findings, outcomes));
}

export function* judging(crawl: Crawl, all: readonly Finding[], outcomes: readonly CheckOutcome[]): Pausable<Judgment> {
  const findings = yield* namingRoots(all, crawl);
  const found = yield* standing(crawl);
  switch (found.kind) {
    case 'judged':
      return { ...(yield* scored(crawl, { findings, outcomes })), notJudged: null, shut: false };
    case 'shut': {
      const seen = onlyOf(OF_ROBOTS, findings, outcomes);
      return { ...(yield* scored(crawl, seen)), notJudged: null, shut: true };
    }
    case 'not_judged': {
      const seen = onlyOf(found.reason === 'needs_browser' ? OF_SHELLS : NOTHING, findings, outcomes);
      return { ...seen, score: null, notJudged: found.reason, shut: false };
    }
    default:
      return { findings, outcomes, score: null, notJudged: null, shut: false };
  }
}

type Seen = Pick<Judgment, 'findings' | 'outcomes'>;

function* scored(crawl: Crawl, { findings, outcomes }: Seen): Pausable<Seen & { readonly score: Score }> {
  const found = yield* scoring(crawl, findings, outcomes);
  return { findings: withImpacts(findings, found), outcomes, score: found.score };
}

/** Other checks had too little to go by, whatever they say. */
function onlyOf(checkIds: ReadonlySet<string>, findings: readonly Finding[], outcomes: readonly CheckOutcome[]): Seen {
  return {
    findings: findings.filter(({ checkId }) => checkIds.has(checkId)),
    outcomes: outcomes.map((outcome) =>
      checkIds.has(outcome.checkId)
        ? outcome
        : { ...outcome, state: 'not_checked', looked: 0, failed: 0, notChecked: 1, omitted: 0 },
    ),
  };
}
