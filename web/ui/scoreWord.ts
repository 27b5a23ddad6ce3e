/** The score in a word; the ring is coloured at the same steps. */
type ScoreWord = 'Good' | 'Fair' | 'Poor';

export const scoreWord = (score: number): ScoreWord => (score >= 80 ? 'Good' : score >= 50 ? 'Fair' : 'Poor');
