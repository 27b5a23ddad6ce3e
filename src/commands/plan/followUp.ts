/**
 * Port: redoes parts of a finished audit, by the analyst or on the site itself. Each call has a time limit, and ends
 * soon after its signal aborts.
 */

import type { ModelUse } from '../../domain/modelUse.ts';
import type { ActionItem, Verification, VerifiedFinding } from '../../domain/plan/events.ts';

/** The author of a text, and for a model, the prompt it was given: `seo_actions@3`. */
export type Author = { readonly by: string; readonly prompt?: string };

/** Picks only these fields. */
export const authorOf = ({ by, prompt }: Author): Author => ({ by, ...(prompt === undefined ? {} : { prompt }) });

/** Usage of the language model for a text; absent if none was called. */
type Asked = { readonly asked?: ModelUse };

/** Picks only this field. */
export const askedOf = ({ asked }: Asked): Asked => (asked === undefined ? {} : { asked });

type ByAnalyst<Text> = Author & Asked & Text;

/**
 * `findings` is always the text of the job's `findings.json`. Every method rejects with a `DomainError`
 * ANALYSIS_TOO_OLD if its format is no longer supported.
 */
export type FollowUp = {
  recommend(findings: string, signal?: AbortSignal): Promise<ByAnalyst<{ readonly items: readonly ActionItem[] }>>;
  summarise(
    findings: string,
    items: readonly ActionItem[],
    signal?: AbortSignal,
  ): Promise<ByAnalyst<{ readonly text: string }>>;
  /** The text of `action-items.md`. */
  itemsFile(items: readonly ActionItem[]): string;
  /** Reruns the checks of these findings on their pages. `owner`: whose site it is. */
  verify(
    findings: string,
    findingIds: readonly string[],
    run?: { readonly signal?: AbortSignal | undefined; readonly owner?: string },
  ): Promise<{ readonly verification: Verification; readonly results: readonly VerifiedFinding[] }>;
};

export const TOO_OLD = 'This analysis is too old. Please run a new analysis to generate actions.';
