/** What a score means in words. */

/** Below 50 a site has grave faults; from 90 on it is in good health. */
export function verdictOf(score: number): 'good' | 'fair' | 'poor' {
  if (score >= 90) return 'good';
  return score >= 50 ? 'fair' : 'poor';
}

export const VERDICTS = { good: 'in good health', fair: 'sound, with faults that cost visitors', poor: 'in poor health for search' } as const;
