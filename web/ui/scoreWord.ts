/** The score in a word; the ring is coloured at the same steps. */
import { FAIR_FROM, GOOD_FROM } from '../../src/model/scores.ts';

type ScoreWord = 'Good' | 'Fair' | 'Poor';

export const scoreWord = (score: number): ScoreWord => (score >= GOOD_FROM ? 'Good' : score >= FAIR_FROM ? 'Fair' : 'Poor');
