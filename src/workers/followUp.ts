/** What is done once more with a finished analysis: the analyst asked again from the stored findings, an item's findings looked at again on the site. */
import type { RenderPage } from '../audit/crawl/crawlEnv.ts';
import type { Fetcher } from '../audit/crawl/fetcher.ts';
import type { ParsePage } from '../audit/facts/parse/parsePage.ts';
import { actionItemsMarkdown } from '../audit/report/actionItemsMarkdown.ts';
import { type FindingsDocument, parseFindings } from '../audit/report/findingsFormat.ts';
import { type VerifiedFinding as Verified, verifyFindings } from '../audit/verify.ts';
import { type FollowUp, TOO_OLD, type VerifiedFinding } from '../commands/plan/followUp.ts';
import { DomainError } from '../domain/decider.ts';
import type { Verification } from '../domain/plan/events.ts';
import type { Analyst } from '../integrations/analyst/analyst.ts';
import { storedInput } from './storedInput.ts';

export type FollowUpDeps = {
  readonly analyst: Analyst;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Aborts after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
  /** A fetcher of the call's own, so that no connection outlives it. */
  readonly openFetcher: () => Fetcher & { close(): Promise<void> };
  readonly parse: ParsePage;
  readonly renderThrough?: (fetch: Fetcher) => RenderPage;
  readonly userAgent: string;
};

/** An answer comes within 30 seconds: what a model or a site has not said by then is told as such. */
const MODEL_MS = 20_000;
const LOOK_MS = 18_000;
const GIVE_UP_MS = 24_000;
const VERIFICATIONS_AT_ONCE = 4;
/** Kept of each kind. */
const KEPT = 20;
const MAX_TEXT = 500;
const MAX_URL = 2_000;

/** More are being verified than may be at once: try again in a moment. */
class FollowUpBusy extends Error {
  readonly code = 'BUSY';
  constructor() {
    super('Many items are being verified at this moment. Please try again in a few seconds.');
    this.name = 'FollowUpBusy';
  }
}

export function createFollowUp(deps: FollowUpDeps): FollowUp {
  const { analyst } = deps;
  let verifying = 0;
  return {
    async recommend(findings) {
      const { value, by } = await analyst.recommend(storedInput(documentOf(findings)), { budgetMs: MODEL_MS });
      return { items: value, by };
    },
    async summarise(findings, items) {
      // What only later plans have as optional, the analyst always writes.
      const actions = items.map((item) => ({ ...item, reason: item.reason ?? '' }));
      const { value, by } = await analyst.summarise(storedInput(documentOf(findings)), actions, { budgetMs: MODEL_MS });
      return { text: `${value.trim()}\n`, by };
    },
    itemsFile: actionItemsMarkdown,
    async verify(findings, findingIds) {
      const document = documentOf(findings);
      if (verifying >= VERIFICATIONS_AT_ONCE) throw new FollowUpBusy();
      verifying += 1;
      try {
        return told(await look(deps, document, findingIds));
      } finally {
        verifying -= 1;
      }
    },
  };
}

function documentOf(findings: string): FindingsDocument {
  try {
    return parseFindings(findings);
  } catch {
    throw new DomainError('ANALYSIS_TOO_OLD', TOO_OLD);
  }
}

async function look(deps: FollowUpDeps, document: FindingsDocument, findingIds: readonly string[]): Promise<readonly Verified[]> {
  const known = new Set(document.findings.map((finding) => finding.id));
  const only = findingIds.filter((id) => known.has(id));
  // Without names everything would be looked at.
  if (only.length === 0) return [];
  const { clock, sleep, parse, renderThrough, userAgent } = deps;
  const fetcher = deps.openFetcher();
  const signal = deps.deadline(GIVE_UP_MS);
  try {
    const env = { fetch: fetcher, parse, now: clock, sleep, userAgent, signal, ...(renderThrough ? { render: renderThrough(fetcher) } : {}) };
    return (await verifyFindings({ document, only }, { maxMs: LOOK_MS }, env)).results;
  } finally {
    await fetcher.close();
  }
}

/** Fixed is only what was looked for and is gone, all of it. */
function told(all: readonly Verified[]): { readonly verification: Verification; readonly results: readonly VerifiedFinding[] } {
  const of = (state: Verified['state']): readonly Verified[] => all.filter((result) => result.state === state);
  const [fixed, stillThere, notChecked] = [of('fixed'), of('still_there'), of('not_checked')];
  const outcome = stillThere.length > 0 ? 'still_failing' : notChecked.length > 0 || fixed.length === 0 ? 'not_checked' : 'fixed';
  return {
    verification: {
      ...{ outcome, fixed: fixed.length, stillThere: stillThere.length, notChecked: notChecked.length },
      stillThereAt: stillThere.slice(0, KEPT).map(({ finding, now }) => placeOf(now ?? finding)),
      notCheckedAt: notChecked.slice(0, KEPT).map(({ finding, because }) => ({ url: cut(finding.evidence.url, MAX_URL), because: cut(because ?? '') })),
    },
    results: all.map(({ finding, state, because, now }) => ({ findingId: finding.id, state, because, ...placeOf(now ?? finding) })),
  };
}

function placeOf({ evidence, message }: Verified['finding']): Verification['stillThereAt'][number] {
  return { url: cut(evidence.url, MAX_URL), place: cut(evidence.place), message: cut(message) };
}

const cut = (text: string, length = MAX_TEXT): string => text.slice(0, length);
