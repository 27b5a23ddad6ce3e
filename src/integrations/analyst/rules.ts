/** The built-in analyst: deterministic texts from the findings; needs no network and never fails. */

import { actionOf } from './actionItems.ts';
import { analysisOf } from './analysisText.ts';
import type { Analyst, AnalystAction, AnalystInput } from './analyst.ts';
import { gatherCauses, gatherTasks } from './causes.ts';
import { summaryOf } from './summaryText.ts';

export const RULES_LABEL = 'Built-in analyst';

/** What to fix first, in the order of the analysis; nothing that costs no points. */
export function firstSteps(input: AnalystInput): readonly Pick<AnalystAction, 'title' | 'reason'>[] {
  return gatherCauses(input)
    .filter((cause) => !cause.hint)
    .map(actionOf);
}

/** The same input always gives exactly the same text. */
export function createRulesAnalyst(): Analyst {
  const written = <T>(value: T) => ({ value, by: RULES_LABEL, fallback: null });
  return {
    label: RULES_LABEL,
    async analyse(input) {
      return written(analysisOf(input, gatherCauses(input)));
    },
    async recommend(input) {
      return written(gatherTasks(input).map(actionOf));
    },
    async summarise(input, actions) {
      return written(summaryOf(input, actions));
    },
  };
}
