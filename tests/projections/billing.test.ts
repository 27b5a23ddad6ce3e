import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAnalysisOf, usedOf } from '../../src/domain/billing/billing.ts';
import { type BillingCommand, billingDecider } from '../../src/domain/billing/decide.ts';
import type { BillingEvent, PaidFrom } from '../../src/domain/billing/events.ts';
import { DomainError } from '../../src/domain/decider.ts';
import {
  type BillingDocument,
  billing,
  billOfProviderId,
  emptyBill,
  isReserved,
  listBillingHistory,
} from '../../src/projections/billing.ts';
import { runs } from '../given/fullForm.ts';
import { project } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const SEED = 20260304;
const userId = 'user-1';
const at = '2026-03-31T10:00:00.000Z';
const reserved = (jobId: string, period = '2026-03', from: PaidFrom = 'free_allowance'): BillingEvent => ({
  type: 'AnalysisReserved',
  data: { userId, jobId, from, period, access: 'preview', reservedAt: at },
});

const consumed = (jobId: string): BillingEvent => ({
  type: 'AnalysisConsumed',
  data: { userId, jobId, consumedAt: at },
});
const released = (jobId: string): BillingEvent => ({
  type: 'AnalysisReleased',
  data: { userId, jobId, reason: 'job_failed', releasedAt: at },
});
/** Events of an old log: reservations without a batch, ends that do not name what they release. */
function old(event: BillingEvent): BillingEvent {
  if (event.type === 'AnalysisReserved') {
    const { batchId: _, ...reservation } = event.data;
    return { type: event.type, data: reservation };
  }
  if (event.type !== 'AnalysisReleased') return event;
  const { from: _from, period: _period, ...release } = event.data;
  return { type: event.type, data: release };
}

/** Of the only user. */
const billOf = (documents: Readonly<Record<string, object>>): BillingDocument => documents[userId] as BillingDocument;

const paid: BillingEvent = {
  type: 'FundsAdded',
  data: {
    userId,
    paymentIntentId: 'pi_1',
    quantity: 1,
    amount: 5_000,
    currency: 'usd',
    funds: 5_000,
    balance: 5_000,
    addedAt: at,
  },
};

describe('the documents of a bill', () => {
  it('are the bill, a change for each payment, and the reservations that nothing has ended', () => {
    const documents = project(billing, paid, reserved('a'), reserved('b'), reserved('c'), consumed('a'), released('c'));
    expect(Object.keys(documents)).toEqual([
      userId,
      `change/${userId}/00000000-0000-8000-8000-000000000000`,
      `reservation/${userId}/b`,
    ]);
    expect(documents[`reservation/${userId}/b`]).toEqual({ kind: 'reservation', jobId: 'b', userId, reservedAt: at });
  });

  it('are found by their user, their job, and the ids of the payment provider', async () => {
    const readModels = memoryReadModels();
    await readModels.prepare(billing, 'v1');
    await readModels.serve('billing', 'v1');
    const checkpoint = '9'.padStart(20, '0');
    const documents = project(billing, paid, reserved('a'));
    const writes = Object.entries(documents).map(([id, data]) => ({ id, position: checkpoint, data }));
    await readModels.commit([{ model: 'billing', build: 'v1', checkpoint, writes }]);
    expect([await isReserved(readModels, 'a'), await isReserved(readModels, 'b')]).toEqual([true, false]);
    expect([await billOfProviderId(readModels, 'pi_1'), await billOfProviderId(readModels, 'pi_2')]).toEqual([
      userId,
      null,
    ]);
    const { documents: changes } = await listBillingHistory(readModels, userId, { limit: 5 });
    expect(changes.map(({ data }) => data.type)).toEqual(['FundsAdded']);
    await readModels.close();
  });
});

describe('the billing read model', () => {
  it('keeps nothing per waiting job, so that it stays small', () => {
    const data = { userId, batchId: 'batch', from: 'free_allowance', period: '2026-03' } as const;
    const waiting = Array.from(
      { length: 100 },
      (_, n): BillingEvent => ({
        type: 'AnalysisReserved',
        data: { ...data, jobId: `job-${n}`, access: 'preview', reservedAt: at },
      }),
    );
    const release: BillingEvent = {
      type: 'AnalysisReleased',
      data: { ...data, jobId: 'job-7', reason: 'job_failed', releasedAt: at },
    };
    expect(billOf(project(billing, ...waiting, release, consumed('job-8')))).toEqual({
      ...emptyBill(userId),
      periods: { '2026-03': 99 },
      consumed: 1,
    });
  });
  it('counts reserved and consumed audits, in an old log too', () =>
    expect(billOf(project(billing, reserved('a'), reserved('b'), consumed('a')))).toEqual({
      ...emptyBill(userId),
      periods: { '2026-03': 2 },
      open: { b: { period: '2026-03', from: 'free_allowance' } },
      consumed: 1,
    }));
  it('releases to the month the audit was taken from', () =>
    expect(project(billing, reserved('a'), reserved('b', '2026-04'), released('a'))).toMatchObject({
      [userId]: { periods: { '2026-03': 0, '2026-04': 1 } },
    }));
  it('takes nothing from an admin’s allowance', () =>
    expect(project(billing, reserved('a', '2026-03', 'admin'), consumed('a'))).toEqual({
      [userId]: { ...emptyBill(userId), consumed: 1 },
    }));

  it(`counts like the rules, whatever happens (seed ${SEED})`, () => {
    const jobId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const time = fc.constantFrom('2026-02-10T00:00:00.000Z', '2026-03-10T00:00:00.000Z');
    const command: fc.Arbitrary<BillingCommand> = fc.oneof(
      fc.tuple(jobId, time).map(
        ([id, when]): BillingCommand => ({
          type: 'ReserveAnalyses',
          userId,
          jobIds: [id],
          batchId: id,
          allowance: 3,
          isAdmin: id === 'f',
          at: when,
        }),
      ),
      fc
        .tuple(jobId, time)
        .map(([id, when]): BillingCommand => ({ type: 'ConsumeAnalysis', userId, jobId: id, at: when })),
      fc.tuple(jobId, time).map(
        ([id, when]): BillingCommand => ({
          type: 'ReleaseAnalysis',
          userId,
          jobId: id,
          reason: 'job_failed',
          at: when,
        }),
      ),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), fc.nat(40), (commands, olds) => {
        const history: BillingEvent[] = [];
        let state = billingDecider.initialState();
        for (const asked of commands) {
          try {
            const events = billingDecider.decide(asked, state);
            state = events.reduce(billingDecider.evolve, state);
            history.push(...events);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
        }
        // The log continues with events of today, so that either kind may end an old reservation.
        const bill =
          history.length > 0
            ? billOf(project(billing, ...history.map((event, nth) => (nth < olds ? old(event) : event))))
            : null;
        for (const period of ['2026-02', '2026-03'])
          expect(bill?.periods[period] ?? 0).toBe(usedOf(state, period, 'free_allowance'));
        const reservedOld = history
          .slice(0, olds)
          .flatMap((event) => (event.type === 'AnalysisReserved' ? [event.data.jobId] : []));
        expect(Object.keys(bill?.open ?? {}).sort()).toEqual(
          reservedOld.filter((id) => openAnalysisOf(state, id)).sort(),
        );
      }),
      { seed: SEED, numRuns: runs(1_000) },
    );
  });
});
