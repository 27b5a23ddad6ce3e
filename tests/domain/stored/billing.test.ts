/** Bills from before plans, credits and funds read as before. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analysisOf, openAnalysisOf, usedOf } from '../../../src/domain/billing/billing.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import { currentEvent } from '../../../src/domain/stored/current.ts';
import type { EventMetadata } from '../../../src/domain/stored/metadata.ts';

type Frozen = BillingEvent & { readonly id: string; readonly metadata: EventMetadata };

const frozen = (name: string): Frozen =>
  JSON.parse(readFileSync(new URL(`../../stored/frozen/${name}.json`, import.meta.url), 'utf8')) as Frozen;

describe('events of the free allowance alone', () => {
  it.each([
    ['AnalysisReserved.v1', 1, 2],
    ['AnalysisReleased.v1', 1, 3],
    ['AnalysisReleased.v2', 2, 3],
  ])('%s reads as before', (name, storedVersion, schemaVersion) => {
    const old = frozen(name);
    expect(currentEvent(old)).toEqual({ ...old, metadata: { ...old.metadata, schemaVersion }, storedVersion });
  });

  it('fold as before', () => {
    const old = frozen('AnalysisReserved.v1');
    if (old.type !== 'AnalysisReserved') throw new Error('That is another event.');
    const { jobId, userId, period, from } = old.data;
    const reserved = billingDecider.evolve(billingDecider.initialState(), currentEvent(old));
    expect([analysisOf(reserved, jobId)?.status, usedOf(reserved, period, from)]).toEqual(['reserved', 1]);
    expect(openAnalysisOf(reserved, jobId)).toEqual({ from, period });
    const released: BillingEvent = {
      type: 'AnalysisReleased',
      data: { userId, jobId, reason: 'job_failed', releasedAt: old.metadata.at },
    };
    const after = billingDecider.evolve(reserved, released);
    expect([analysisOf(after, jobId)?.status, usedOf(after, period, from), after.funds.amount, after.credits]).toEqual([
      'released',
      0,
      0,
      0,
    ]);
  });
});
