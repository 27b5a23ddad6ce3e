/** Port: what is done once more with a finished analysis, by the analyst or on the site itself. Each call is bounded in time, and ends soon when its signal aborts. */
import type { ActionItem, Verification, VerifiedFinding } from '../../domain/plan/events.ts';
import type { ModelUse } from '../../model/modelUse.ts';

/** Who wrote a text, and of a model, what it was asked with: `seo_actions@3`. */
export type Author = { readonly by: string; readonly prompt?: string };

/** Nothing else of what it is given. */
export const authorOf = ({ by, prompt }: Author): Author => ({ by, ...(prompt === undefined ? {} : { prompt }) });

/** What asking a model for a text took; absent where none was asked. */
type Asked = { readonly asked?: ModelUse };

/** Nothing else of what it is given. */
export const askedOf = ({ asked }: Asked): Asked => (asked === undefined ? {} : { asked });

type ByAnalyst<Text> = Author & Asked & Text;

/** `findings` is always the text of the job's `findings.json`. Each rejects with a `DomainError` ANALYSIS_TOO_OLD when that is of a format no longer read. */
export type FollowUp = {
  recommend(findings: string, signal?: AbortSignal): Promise<ByAnalyst<{ readonly items: readonly ActionItem[] }>>;
  summarise(findings: string, items: readonly ActionItem[], signal?: AbortSignal): Promise<ByAnalyst<{ readonly text: string }>>;
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
