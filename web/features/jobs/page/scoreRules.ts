/** Constants of the score's formula, as in the engine; a test keeps them equal. */
export const SCORE_RULES = { high: 8, medium: 3, low: 1, leastShare: 0.1, leastBase: 0.5 } as const;

/** Points rounded to a tenth, for display. */
export const points = (number: number): string => (Math.round(number * 10) / 10).toString();
