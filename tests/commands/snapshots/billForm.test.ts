/** A bill that is saved and loaded equals the original, anywhere in its history. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { billForm } from '../../../src/commands/snapshots/billForm.ts';
import { analysisOf, reservedTogether, unlockOf } from '../../../src/domain/billing/billing.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import { type BillingState, lookUp, markOf } from '../../../src/domain/billing/ledger.ts';
import { BILLING_TYPES } from '../../../src/domain/stored/billing.ts';
import { randomBill } from '../../given/billing/randomBill.ts';
import { FROZEN_EVENTS } from '../../given/frozenEvents.ts';
import { runs } from '../../given/fullForm.ts';

const SEED = 20261124;
const { evolve, initialState } = billingDecider;
const fold = (events: readonly BillingEvent[], state: BillingState = initialState()): BillingState =>
  events.reduce(evolve, state);

/** As a store returns it: parsed from text, in another process. */
function readAgain(parts: Iterable<object>): BillingState {
  const reader = billForm.read();
  for (const part of parts) reader.take(JSON.parse(JSON.stringify(part)));
  return reader.state();
}
const written = (state: BillingState): readonly object[] => [...billForm.partsOf(state)];

const idsIn = (events: readonly BillingEvent[], field: string): readonly string[] => [
  ...new Set(events.flatMap(({ data }) => (field in data ? [String((data as Record<string, unknown>)[field])] : []))),
];

/** Every query of a state. */
function saidBy(state: BillingState, events: readonly BillingEvent[]): object {
  const { ledger: _, ...balances } = state;
  return {
    balances,
    jobs: idsIn(events, 'jobId').map((id) => [
      id,
      analysisOf(state, id),
      unlockOf(state, id),
      lookUp(state, 'unlocks', id),
      reservedTogether(state, id),
    ]),
    payments: idsIn(events, 'paymentIntentId').map((id) => [id, lookUp(state, 'payments', id)]),
    planPayments: idsIn(events, 'paymentIntentId').map((id) => [id, lookUp(state, 'planPayments', id)]),
    disputes: idsIn(events, 'disputeId').map((id) => [id, lookUp(state, 'disputes', id)]),
    grants: idsIn(events, 'grantId').map((id) => [id, lookUp(state, 'known', markOf('grant', id))]),
    refunds: idsIn(events, 'refundId').map((id) => [id, lookUp(state, 'known', markOf('refund', id))]),
    ended: idsIn(events, 'subscriptionId').map((id) => [id, lookUp(state, 'ended', id)]),
  };
}

const bills = fc.tuple(fc.integer(), fc.integer({ min: 1, max: 400 })).map(([seed, acts]) => randomBill(seed, acts));
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('a saved bill', () => {
  it(`continues like the whole history, from any revision and over several of them (seed ${SEED})`, () => {
    let events = 0;
    fc.assert(
      fc.property(bills, fc.array(share, { minLength: 1, maxLength: 3 }), (bill, shares) => {
        const cuts = shares.map((part) => Math.round(part * bill.length)).sort((a, b) => a - b);
        let [state, from] = [initialState(), 0];
        for (const cut of cuts) {
          state = readAgain(written(fold(bill.slice(from, cut), state)));
          expect(saidBy(state, bill)).toEqual(saidBy(fold(bill.slice(0, cut)), bill));
          from = cut;
        }
        const [resumed, whole] = [fold(bill.slice(from), state), fold(bill)];
        expect(saidBy(resumed, bill)).toEqual(saidBy(whole, bill));
        expect(written(resumed)).toEqual(written(whole));
        events += bill.length;
      }),
      { seed: SEED, numRuns: runs(300) },
    );
    expect(events).toBeGreaterThan(runs(20_000));
  });

  it(`equals the requested state, whatever is folded while it is being written (seed ${SEED})`, () => {
    fc.assert(
      fc.property(bills, share, fc.array(fc.nat(60), { minLength: 1, maxLength: 10 }), (bill, part, steps) => {
        const cut = Math.round(part * bill.length);
        const state = fold(bill.slice(0, cut));
        const before = written(fold(bill.slice(0, cut)));
        // The first part fixes the state; between any two parts others fold on.
        let [later, at] = [state, cut];
        const during: object[] = [];
        for (const each of billForm.partsOf(state)) {
          during.push(each);
          const next = Math.min(bill.length, at + (steps[during.length % steps.length] ?? 0));
          later = fold(bill.slice(at, next), later);
          at = next;
        }
        expect(during).toEqual(before);
      }),
      { seed: SEED, numRuns: runs(300) },
    );
  });

  it('has several parts when it is long, each of a thousand audits', () => {
    const events = Array.from({ length: 2_500 }, (_, nth): BillingEvent[] => {
      const [jobId, at] = [`job-${nth}`, '2026-03-01T00:00:00.000Z'];
      const reserved = {
        userId: 'u',
        jobId,
        batchId: `batch-${nth >> 1}`,
        from: 'free_allowance',
        period: '2026-03',
        access: 'preview',
        reservedAt: at,
      } as const;
      return [
        { type: 'AnalysisReserved', data: reserved },
        { type: 'AnalysisConsumed', data: { userId: 'u', jobId, consumedAt: at } },
      ];
    }).flat();
    const [state, whole] = [fold(events.slice(0, 4_000)), fold(events)];
    expect([written(state), written(whole)].map(({ length }) => length)).toEqual([3, 4]);
    expect(saidBy(readAgain(written(whole)), events)).toEqual(saidBy(whole, events));
    // Others fold on in the middle of the audits.
    const parts = billForm.partsOf(state)[Symbol.iterator]();
    const begun = [parts.next().value, parts.next().value];
    fold(events.slice(4_000), state);
    expect([...begun, ...{ [Symbol.iterator]: () => parts }]).toEqual(written(fold(events.slice(0, 4_000))));
  });

  it('is refused when its shape is invalid', () => {
    const state = fold(randomBill(7, 200));
    const [head, analyses, ...rest] = written(state) as readonly Record<string, unknown>[];
    const columns = (analyses as { analyses: Record<string, unknown[]> }).analyses;
    const shorter = (name: string) => ({ analyses: { ...columns, [name]: (columns[name] ?? []).slice(1) } });
    expect(() => readAgain([])).toThrow();
    expect(() => readAgain([{ ...head, more: 1 }])).toThrow();
    expect(() => readAgain([{ ...head, credits: '3' }])).toThrow();
    for (const name of ['taken', 'access', 'batches', 'reservedBy', 'endedBy', 'ends']) {
      expect(() => readAgain([head as object, shorter(name), ...rest]), name).toThrow();
    }
    expect(() => readAgain([head as object, { analyses: { ...columns, takings: [] } }])).toThrow();
    expect(() => readAgain([head as object, { somethingElse: [] }])).toThrow();
  });
});

/**
 * The fingerprint of this history's fold, by the version of the form. If this fails, older snapshots no longer equal
 * today's fold: raise the version in `billForm.ts`, and add the new line here. A new type of event also goes into
 * `bill.ndjson`.
 */
const FINGERPRINTS: Readonly<Record<number, string>> = {
  1: 'cced36536bbd0269',
  2: 'f5fbff5a09ce2640',
  3: 'd171a85237866f55',
};

describe('the fold of bills', () => {
  /**
   * Kept as a file, so that a new rule for new events does not change it; with the frozen sample of each stored version
   * of each type.
   */
  const kept = readFileSync(new URL('./bill.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BillingEvent);
  const frozen = FROZEN_EVENTS.filter(({ type }) => type in BILLING_TYPES) as unknown as BillingEvent[];

  it('matches the fingerprint of its version', () => {
    const text = JSON.stringify([...written(fold(kept)), ...written(fold(frozen))]);
    const fingerprint = createHash('sha256').update(text).digest('hex').slice(0, 16);
    expect({ version: billForm.version, fingerprint }).toEqual({
      version: billForm.version,
      fingerprint: FINGERPRINTS[billForm.version],
    });
  });

  it('covers every type of event', () => {
    expect(kept.length).toBeGreaterThan(150);
    expect([...new Set(kept.map(({ type }) => type))].sort()).toEqual(Object.keys(BILLING_TYPES).sort());
  });
});
