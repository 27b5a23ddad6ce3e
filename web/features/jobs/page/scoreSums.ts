/** The sums behind a score. */
import type { ScoreView } from '../../../../src/http/contract/findings.ts';
import { FIRST_FORMULA } from '../../../../src/model/scores.ts';
import { points } from './points.ts';

export const isFirstFormula = ({ formula = FIRST_FORMULA }: ScoreView): boolean => formula === FIRST_FORMULA;

const lostIn = ({ categories }: ScoreView): number => categories.reduce((sum, { lost }) => sum + lost, 0);

/** The limits that hold the score below what is left; only the first formula had such. */
export function heldBy(score: ScoreView): ScoreView['limits'] {
  return isFirstFormula(score) && score.value < Math.round(100 - lostIn(score)) ? score.limits : [];
}

/** `100 − 34.2 = 65.8`, and where it is held. */
export function sumText(score: ScoreView): string {
  const lost = lostIn(score);
  const held = isFirstFormula(score) && score.value < Math.round(100 - lost);
  return `100 − ${points(lost)} = ${points(Math.max(0, 100 - lost))}${held ? `, capped at ${score.value}` : ''}`;
}
