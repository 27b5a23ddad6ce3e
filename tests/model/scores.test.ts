import { describe, expect, it } from 'vitest';
import { bandOf, NOT_JUDGED_REASONS, NOT_JUDGED_TEXTS, wholeScore } from '../../src/model/scores.ts';

describe('a score', () => {
  it.each([
    [0, 0],
    [0.4, 0],
    [0.5, 1],
    [49.4, 49],
    [89.5, 90],
    [99.4, 99],
    [99.5, 99],
    [99.9, 99],
    [100, 100],
  ])('of %d is shown as %d', (score, shown) => expect(wholeScore(score)).toBe(shown));

  it('is in the band of the number that is shown', () =>
    expect([89.4, 89.5, 90, 49.4, 49.5, 100, 0].map(bandOf)).toEqual([
      'fair',
      'good',
      'good',
      'poor',
      'fair',
      'good',
      'poor',
    ]));
});

it('each reason for none says what happened and what to do', () => {
  for (const reason of NOT_JUDGED_REASONS) {
    expect(NOT_JUDGED_TEXTS[reason].split('. ').length).toBeGreaterThanOrEqual(2);
    expect(NOT_JUDGED_TEXTS[reason]).toMatch(/\.$/);
  }
});
