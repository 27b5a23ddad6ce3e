/** Runs compared from their stored `findings.json`. What needs the checks loads them when it is first asked. */
import type { RunScope } from '../../model/findings.ts';
import type { Comparison } from './compare.ts';
import { FINDINGS_FORMAT, type FindingsDocument, parseFindings } from './findingsFormat.ts';
import { scopeOf, whyScoresDiffer } from './runScope.ts';

export type StoredComparison = Comparison & {
  /** Of the checks that found something in either run, by id. */
  readonly titles: ReadonlyMap<string, string>;
};

/** The earlier run first. @throws Error that says in one line what is wrong with a text */
export async function compareStored(before: string, after: string): Promise<StoredComparison> {
  const { compareRuns } = await import('./compare.ts');
  const runs = [parseFindings(before), parseFindings(after)] as const;
  const titles = new Map(runs.flatMap((run) => run.checks.map(({ id, title }) => [id, title] as const)));
  return { ...compareRuns(...runs), titles };
}

/** Answers for many runs why their score may not stand beside that of this one; null where it may. */
export function scoreComparer(reference: RunScope | null): (other: RunScope | null) => string | null {
  return (other) => {
    if (reference === null) return 'this run has no score that others could be compared with';
    return other === null ? 'its findings are not there in a form that can be compared' : whyScoresDiffer(reference, other);
  };
}

/** Written by this program and read for its scope alone, so only its format is looked at. */
export function readScope(text: string): RunScope | null {
  try {
    const document = JSON.parse(text) as Partial<FindingsDocument> | null;
    const known = document?.format === FINDINGS_FORMAT.format && document.version === FINDINGS_FORMAT.version;
    return known && Array.isArray(document.pages) && Array.isArray(document.outcomes) ? scopeOf(document as FindingsDocument) : null;
  } catch {
    return null;
  }
}
