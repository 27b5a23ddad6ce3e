/** Port: what is done once more with a finished analysis, by the analyst or on the site itself. Each call is bounded in time. */
import type { ActionItem, Verification } from '../../domain/plan/events.ts';

export type VerifiedFinding = {
  readonly findingId: string;
  readonly url: string;
  readonly place: string;
  readonly message: string;
  readonly state: 'fixed' | 'still_there' | 'not_checked';
  /** The end of a sentence: why it was not checked, or what limits the verdict. */
  readonly because: string | null;
};

/** `findings` is always the text of the job's `findings.json`. Each rejects with a `DomainError` ANALYSIS_TOO_OLD when that is of a format no longer read. */
export type FollowUp = {
  recommend(findings: string): Promise<{ readonly items: readonly ActionItem[]; readonly by: string }>;
  summarise(findings: string, items: readonly ActionItem[]): Promise<{ readonly text: string; readonly by: string }>;
  /** The text of `action-items.md`. */
  itemsFile(items: readonly ActionItem[]): string;
  /** Runs the checks of these findings on their pages. @throws an error with code BUSY when too many are under way */
  verify(findings: string, findingIds: readonly string[]): Promise<{ readonly verification: Verification; readonly results: readonly VerifiedFinding[] }>;
};

export const TOO_OLD = 'This analysis is too old. Please run a new analysis to generate actions.';
