/**
 * Follow-up work on a completed audit: asking the analyst again from the stored findings, or rechecking an item's
 * findings on the site. The checks are loaded on demand.
 */

import type { ParseInput, ParsePage } from '../audit/facts/parse/parsePage.ts';
import { actionItemsMarkdown } from '../audit/report/actionItemsMarkdown.ts';
import { type FindingsDocument, parseFindings } from '../audit/report/findingsFormat.ts';
import type { Rejudge, VerifiedFinding as Verified } from '../audit/verify.ts';
import { askedOf, authorOf, type FollowUp, TOO_OLD } from '../commands/plan/followUp.ts';
import { DomainError } from '../domain/decider.ts';
import type { Verification, VerifiedFinding } from '../domain/plan/events.ts';
import type { Analyst, AnalystCall, AnalystInput } from '../integrations/analyst/analyst.ts';
import { editedPlace } from '../model/edits.ts';
import type { Fetcher } from '../model/fetching.ts';
import type { RenderPage } from '../model/rendering.ts';
import { analystAction } from './analystAction.ts';
import { SiteTooCostly } from './judging/judgePool.ts';

export type FollowUpDeps = {
  readonly analyst: Analyst;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Aborts after this many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
  /** A separate fetcher per call, so that no connection outlives it. */
  readonly openFetcher: () => Fetcher & { close(): Promise<void> };
  readonly parse: ParsePage;
  readonly renderThrough?: (fetch: Fetcher) => RenderPage;
  readonly userAgent: string;
  /** Pages are also requested as a phone and as Googlebot where findings need it; default true. */
  readonly askAsOthers?: boolean;
  /** What a verification may keep of the site in memory, bytes; default: `SITE_BYTES`. */
  readonly siteBytes?: number;
  /** Where a verification looks for the findings; default: in this thread, in slices. */
  readonly rejudge?: Rejudge;
};

/** A user is waiting: a model or site that does not respond in time is reported as such. */
const MODEL_MS = 60_000;
const RECHECK_MS = 60_000;
const GIVE_UP_MS = 75_000;
/** Number kept of each kind. */
const KEPT = 20;
const MAX_TEXT = 500;
const MAX_URL = 2_000;
const TOO_COSTLY = 'checking the site took more time or memory than there is for it';

export function createFollowUp(deps: FollowUpDeps): FollowUp {
  const { analyst } = deps;
  const call = (signal?: AbortSignal): AnalystCall => ({ budgetMs: MODEL_MS, ...(signal ? { signal } : {}) });
  return {
    async recommend(findings, signal) {
      const written = await analyst.recommend(await inputOf(findings), call(signal));
      return { items: written.value, ...authorOf(written), ...askedOf(written) };
    },
    async summarise(findings, items, signal) {
      const written = await analyst.summarise(await inputOf(findings), items.map(analystAction), call(signal));
      return { text: `${written.value.trim()}\n`, ...authorOf(written), ...askedOf(written) };
    },
    itemsFile: actionItemsMarkdown,
    verify: async (findings, findingIds, run = {}) =>
      verificationOf(await verifyAgain(deps, documentOf(findings), findingIds, run)),
  };
}

async function inputOf(findings: string): Promise<AnalystInput> {
  const { storedInput } = await import('./storedInput.ts');
  return storedInput(documentOf(findings));
}

function documentOf(findings: string): FindingsDocument {
  try {
    return parseFindings(findings);
  } catch {
    throw new DomainError('ANALYSIS_TOO_OLD', TOO_OLD);
  }
}

async function verifyAgain(
  deps: FollowUpDeps,
  document: FindingsDocument,
  findingIds: readonly string[],
  { signal: requested, owner }: NonNullable<Parameters<FollowUp['verify']>[2]>,
): Promise<readonly Verified[]> {
  const known = new Set(document.findings.map((finding) => finding.id));
  const only = findingIds.filter((id) => known.has(id));
  // An empty list would mean all checks.
  if (only.length === 0) return [];
  const { verifyFindings } = await import('../audit/verify.ts');
  const { clock, sleep, parse, renderThrough, userAgent, siteBytes, askAsOthers = true } = deps;
  // Its pages are read in turns with those of audits.
  const pagesOf = {};
  const fetcher = deps.openFetcher();
  const late = deps.deadline(GIVE_UP_MS);
  const signal = requested ? AbortSignal.any([requested, late]) : late;
  try {
    const env = {
      fetch: fetcher,
      parse: (input: ParseInput) => parse(input, pagesOf),
      now: clock,
      sleep,
      userAgent,
      ...(siteBytes === undefined ? {} : { siteBytes }),
      signal,
      ...(renderThrough ? { render: renderThrough(fetcher) } : {}),
    };
    const options = {
      maxMs: RECHECK_MS,
      askAsOthers,
      ...(requested ? { signal: requested } : {}),
      ...(owner === undefined ? {} : { owner }),
    };
    const { results } = await verifyFindings({ document, only }, options, env, deps.rejudge);
    // An aborted check says nothing about the site.
    requested?.throwIfAborted();
    return results;
  } catch (error) {
    if (!(error instanceof SiteTooCostly)) throw error;
    const wanted = new Set(only);
    return document.findings
      .filter(({ id }) => wanted.has(id))
      .map((finding) => ({ finding, state: 'not_checked', because: TOO_COSTLY, now: null }));
  } finally {
    await fetcher.close();
  }
}

/** An item is fixed only if all of its findings were rechecked and are gone. */
function verificationOf(all: readonly Verified[]): {
  readonly verification: Verification;
  readonly results: readonly VerifiedFinding[];
} {
  const of = (state: Verified['state']): readonly Verified[] => all.filter((result) => result.state === state);
  const [fixed, stillThere, notChecked] = [of('fixed'), of('still_there'), of('not_checked')];
  const outcome =
    stillThere.length > 0 ? 'still_failing' : notChecked.length > 0 || fixed.length === 0 ? 'not_checked' : 'fixed';
  const looked = all.filter(({ state }) => state !== 'not_checked');
  const lookedAt = placesChanged(looked.map(({ finding }) => finding)).slice(0, KEPT);
  return {
    verification: {
      outcome,
      fixed: fixed.length,
      stillThere: stillThere.length,
      notChecked: notChecked.length,
      stillThereAt: stillThere.slice(0, KEPT).map(({ finding, now }) => placeOf(now ?? finding)),
      notCheckedAt: notChecked
        .slice(0, KEPT)
        .map(({ finding, because }) => ({ url: cut(finding.evidence.url, MAX_URL), because: cut(because ?? '') })),
      ...(lookedAt.length === 0 ? {} : { lookedAt }),
    },
    results: all.map(({ finding, state, because, now }) => ({
      findingId: finding.id,
      state,
      because: because === null ? null : cut(because),
      ...placeOf(now ?? finding),
    })),
  };
}

/** What the code of the findings changes, each once. */
function placesChanged(findings: readonly Verified['finding'][]): readonly string[] {
  const places = findings.flatMap(({ edit, evidence }) =>
    edit === undefined ? [] : [editedPlace(edit, evidence.url)],
  );
  return [...new Set(places)].map((place) => cut(place));
}

function placeOf({ evidence, message }: Verified['finding']): Verification['stillThereAt'][number] {
  return { url: cut(evidence.url, MAX_URL), place: cut(evidence.place), message: cut(message) };
}

const cut = (text: string, length = MAX_TEXT): string => text.slice(0, length);
