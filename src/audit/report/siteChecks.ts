import type { IssueScope } from '../../model/issues/issues.ts';
import type { CheckOutcome } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import { COUNTED_BY_PAGE } from '../weights.ts';

/** Checks of the site as a whole rather than of each page. */
export const SITE_CHECKS: ReadonlySet<string> = new Set(
  CHECKS.filter((check) => check.scope === 'site').map((check) => check.id),
);

/** Those among them that find fault with the site itself, not with single pages of it. */
export const WHOLE_SITE_CHECKS: ReadonlySet<string> = new Set(
  [...SITE_CHECKS].filter((id) => !COUNTED_BY_PAGE.has(id)),
);

const ADDRESS_CHECKS: ReadonlySet<string> = new Set(
  CHECKS.filter((check) => check.scope === 'answer').map((check) => check.id),
);

/** What a check looks at, if not the content of pages. */
export function issueScope(checkId: string): { readonly of?: IssueScope } {
  if (WHOLE_SITE_CHECKS.has(checkId)) return { of: 'site' };
  return ADDRESS_CHECKS.has(checkId) ? { of: 'addresses' } : {};
}

/** Checks with what they looked at and how much of it failed, from which issues are gathered. */
export function withExtent<Check extends { readonly id: string }>(
  checks: readonly Check[],
  outcomes: readonly Pick<CheckOutcome, 'checkId' | 'looked' | 'failed'>[],
) {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.checkId, outcome]));
  return checks.map((check) => {
    const { looked = 0, failed = 0 } = outcomeOf.get(check.id) ?? {};
    return { ...check, looked: SITE_CHECKS.has(check.id) ? null : looked, failed, ...issueScope(check.id) };
  });
}
