/** What a check's cases are: sites that it passes, finds faults in, does not apply to, or could not look at. */
import type { GivenSite } from './page.ts';

export type Site = GivenSite | string;

/** A part of the message, the evidence or the code that must be told; `count` of findings; `hint` and `impact` where they differ from the check's. */
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
