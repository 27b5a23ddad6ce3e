/** The numbers of the score's formula, as the engine counts them; a test holds both together. */
export const SCORE_RULES = { high: 8, medium: 3, low: 1, leastShare: 0.1, leastBase: 0.5 } as const;
