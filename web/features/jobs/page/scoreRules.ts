/** The numbers of the score's formula, as the engine counts them; a test holds both together. */
export const SCORE_RULES = { high: 8, medium: 3, low: 1, leastShare: 0.1, leastBase: 0.5 } as const;

/** Points as they are shown: to a tenth. */
export const points = (number: number): string => (Math.round(number * 10) / 10).toString();
