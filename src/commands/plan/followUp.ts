/** Port: what is done once more with a finished analysis, by the analyst or on the site itself. Each call is bounded in time, and ends soon when its signal aborts. */
import type { ActionItem, Verification, VerifiedFinding } from '../../domain/plan/events.ts';

/** `findings` is always the text of the job's `findings.json`. Each rejects with a `DomainError` ANALYSIS_TOO_OLD when that is of a format no longer read. */
export type FollowUp = {
  recommend(findings: string, signal?: AbortSignal): Promise<{ readonly items: readonly ActionItem[]; readonly by: string }>;
  summarise(findings: string, items: readonly ActionItem[], signal?: AbortSignal): Promise<{ readonly text: string; readonly by: string }>;
  /** The text of `action-items.md`. */
  itemsFile(items: readonly ActionItem[]): string;
  /** Runs the checks of these findings on their pages. */
  verify(
    findings: string,
    findingIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly verification: Verification; readonly results: readonly VerifiedFinding[] }>;
};

export const TOO_OLD = 'This analysis is too old. Please run a new analysis to generate actions.';
