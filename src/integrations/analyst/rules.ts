/** The built-in analyst: deterministic texts from the findings; needs no network and never fails. */

import { gatherIssues } from '../../model/issues/issues.ts';
import { actionOf } from './actionItems.ts';
import { analysisOf } from './analysisText.ts';
import type { Analyst, AnalystAction, AnalystInput } from './analyst.ts';
import { gatherTasks } from './issues.ts';
import { summaryOf } from './summaryText.ts';

export const RULES_LABEL = 'Built-in analyst';

/** What to fix first, in the order of the analysis; nothing that costs no points. */
export function firstSteps(input: AnalystInput): readonly Pick<AnalystAction, 'title' | 'reason'>[] {
  return gatherIssues(input)
    .filter((issue) => !issue.hint)
    .map(actionOf);
}

/** The same input always gives exactly the same text. */
export function createRulesAnalyst(): Analyst {
  const written = <T>(value: T) => ({ value, by: RULES_LABEL, fallback: null });
  return {
    label: RULES_LABEL,
    async analyse(input) {
      return written(analysisOf(input, gatherIssues(input)));
    },
    async recommend(input) {
      return written(gatherTasks(input).map(actionOf));
    },
    async summarise(input, actions) {
      return written(summaryOf(input, actions));
    },
  };
}
