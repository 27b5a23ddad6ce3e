/** The score's rating; the ring changes color at the same scores. */
import { bandOf } from '../../src/model/scores.ts';

const WORDS = { good: 'Good', fair: 'Fair', poor: 'Poor' } as const;

export const scoreWord = (score: number): (typeof WORDS)[keyof typeof WORDS] => WORDS[bandOf(score)];
