/** What a score means in words. */
import type { ScoreBand } from '../../model/scores.ts';

export const VERDICTS: Readonly<Record<ScoreBand, string>> = {
  good: 'in good health',
  fair: 'sound, with issues that cost visitors',
  poor: 'in poor health for search',
};
