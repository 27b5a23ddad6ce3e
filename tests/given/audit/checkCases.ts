/** The cases of a check: sites that pass, have findings, are not applicable, or could not be checked. */
import type { GivenSite } from './page.ts';

export type Site = GivenSite | string;

/**
 * Expected parts of the message, the evidence or the code; `count` of findings; `hint` and `impact` where they differ
 * from the check's.
 */
export type ExpectedFinding = {
  readonly site: Site;
  readonly tells?: string;
  readonly count?: number;
  readonly hint?: boolean;
  readonly impact?: 'high' | 'medium' | 'low';
  readonly code?: string;
};

export type CheckCases = {
  readonly passes: readonly Site[];
  readonly finds: readonly (Site | ExpectedFinding)[];
  readonly skips?: readonly Site[];
  readonly unchecked?: readonly Site[];
};

export type CaseTable = Readonly<Record<string, CheckCases>>;

export function isExpectedFinding(given: Site | ExpectedFinding): given is ExpectedFinding {
  return typeof given === 'object' && 'site' in given;
}
