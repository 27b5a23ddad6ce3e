/** Compares audits from their stored `findings.json`. Modules that need the checks are loaded lazily. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { RunScope } from '../../model/findings.ts';
import type { Comparison } from './compare.ts';
import { FINDINGS_FORMAT, type FindingsDocument, isReadable, parseFindings } from './findingsFormat.ts';
import { scopeOf, whyScoresDiffer } from './runScope.ts';

export type StoredComparison = Comparison & {
  /** Titles of the checks that found something in either audit, by id. */
  readonly titles: ReadonlyMap<string, string>;
};

/** Takes the earlier audit first. @throws Error with a one-line description of what is wrong with a text */
export async function compareStored(before: string, after: string): Promise<StoredComparison> {
  const { compareRuns } = await import('./compare.ts');
  // A large one takes a tenth of a second: others get their turn in between.
  const earlier = parseFindings(before);
  await nextRound();
  const runs = [earlier, parseFindings(after)] as const;
  await nextRound();
  const titles = new Map(runs.flatMap((run) => run.checks.map(({ id, title }) => [id, title] as const)));
  return { ...compareRuns(...runs), titles };
}

/** Returns a function that says why another audit's score is not comparable with this one's; null if it is. */
export function scoreComparer(reference: RunScope | null): (other: RunScope | null) => string | null {
  return (other) => {
    if (reference === null) return 'this audit has no score to compare';
    return other === null
      ? 'its findings are not stored in a form that can be compared'
      : whyScoresDiffer(reference, other);
  };
}

/** Our own file, read only for its scope, so only its format is validated. */
export function readScope(text: string): RunScope | null {
  try {
    const document = JSON.parse(text) as Partial<FindingsDocument> | null;
    const known = document?.format === FINDINGS_FORMAT.format && isReadable(document.version);
    return known && Array.isArray(document.pages) && Array.isArray(document.outcomes)
      ? scopeOf(document as FindingsDocument)
      : null;
  } catch {
    return null;
  }
}
