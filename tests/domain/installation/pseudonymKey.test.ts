import { describe, expect, it } from 'vitest';
import type { PseudonymKeyEvent } from '../../../src/domain/installation/events.ts';
import { isReplaced, pseudonymKeyDecider } from '../../../src/domain/installation/pseudonymKey.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(pseudonymKeyDecider);
const recorded = (pseudonyms: string, recordedAt: string): PseudonymKeyEvent => ({
  type: 'PseudonymKeyRecorded',
  data: { pseudonyms, recordedAt },
});
const FIRST = recorded('a', '2026-01-01T00:00:00.000Z');
const OTHER = recorded('b', '2026-03-01T00:00:00.000Z');
const BACK = recorded('a', '2026-03-02T00:00:00.000Z');
const replacedAt = (at: string, ...events: readonly PseudonymKeyEvent[]) =>
  isReplaced(events.reduce(pseudonymKeyDecider.evolve, pseudonymKeyDecider.initialState()), at);

describe('the key of pseudonyms', () => {
  it('is recorded when it is another than at the last start', () => {
    const at = '2026-03-01T00:00:00.000Z';
    given().when({ type: 'RecordPseudonymKey', pseudonyms: 'b', at }).then(OTHER);
    given(FIRST).when({ type: 'RecordPseudonymKey', pseudonyms: 'b', at }).then(OTHER);
    given(FIRST, OTHER).when({ type: 'RecordPseudonymKey', pseudonyms: 'b', at: BACK.data.recordedAt }).thenNothing();
  });

  it('counts as replaced for thirty days, or until the first one is back', () => {
    expect(replacedAt('2026-03-01T00:00:00.000Z')).toBe(false);
    expect(replacedAt('2026-03-01T00:00:00.000Z', FIRST)).toBe(false);
    expect(replacedAt('2026-03-30T23:59:59.999Z', FIRST, OTHER)).toBe(true);
    expect(replacedAt('2026-03-31T00:00:00.000Z', FIRST, OTHER)).toBe(false);
    expect(replacedAt('2026-03-02T00:00:00.000Z', FIRST, OTHER, BACK)).toBe(false);
  });
});
