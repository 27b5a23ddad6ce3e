/** Runs compared from their stored `findings.json`. */
import { type Comparison, compareRuns, whyScoresDiffer } from './compare.ts';
import { FINDINGS_FORMAT, type FindingsDocument, parseFindings } from './findingsFormat.ts';

export type StoredComparison = Comparison & {
  /** Of the checks that found something in either run, by id. */
  readonly titles: ReadonlyMap<string, string>;
};

/** The earlier run first. @throws Error that says in one line what is wrong with a text */
export function compareStored(before: string, after: string): StoredComparison {
  const runs = [parseFindings(before), parseFindings(after)] as const;
  const titles = new Map(runs.flatMap((run) => run.checks.map(({ id, title }) => [id, title] as const)));
  return { ...compareRuns(...runs), titles };
}

/** Answers for many runs why their score may not stand beside that of this one; null where it may. */
export function scoreComparer(reference: string | null): (other: string | null) => string | null {
  const run = reference === null ? null : readScope(reference);
  return (text) => {
    if (run === null) return 'this run has no score that others could be compared with';
    const other = text === null ? null : readScope(text);
    return other === null ? 'its findings are not there in a form that can be compared' : whyScoresDiffer(run, other);
  };
}

/** Written by this program and read for its scope alone, so only its format is looked at. */
function readScope(text: string): FindingsDocument | null {
  try {
    const document = JSON.parse(text) as Partial<FindingsDocument> | null;
    const known = document?.format === FINDINGS_FORMAT.format && document.version === FINDINGS_FORMAT.version;
    return known && Array.isArray(document.pages) && Array.isArray(document.outcomes) ? (document as FindingsDocument) : null;
  } catch {
    return null;
  }
}
