/**
 * Whatever is reserved, consumed and released, in any order and month: nobody gets more than allowed, and every
 * reservation ends once.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysisOf, reservedTogether, usedOf } from '../../../src/domain/billing/billing.ts';
import { type BillingCommand, billingDecider } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import type { BillingState } from '../../../src/domain/billing/ledger.ts';
import { DomainError } from '../../../src/domain/decider.ts';
import { runs } from '../../given/fullForm.ts';

const SEED = 20260302;
const userId = 'user-1';
const MONTHS = ['2026-01', '2026-02', '2026-03'];

const jobId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'toString', '__proto__');
const time = fc.constantFrom(...MONTHS).map((month) => `${month}-15T12:00:00.000Z`);
const command = (allowance: number): fc.Arbitrary<BillingCommand> =>
  fc.oneof(
    fc.tuple(fc.array(jobId, { minLength: 1, maxLength: 4 }), time, fc.nat(9)).map(
      ([jobIds, at, dice]): BillingCommand => ({
        type: 'ReserveAnalyses',
        userId,
        jobIds,
        batchId: jobIds.join(),
        allowance,
        isAdmin: dice === 0,
        at,
      }),
    ),
    fc.tuple(jobId, time).map(([id, at]): BillingCommand => ({ type: 'ConsumeAnalysis', userId, jobId: id, at })),
    fc
      .tuple(jobId, time)
      .map(([id, at]): BillingCommand => ({ type: 'ReleaseAnalysis', userId, jobId: id, reason: 'job_failed', at })),
  );

/** Commands of one history, all with one allowance. */
const walk = fc
  .nat(4)
  .chain((allowance) => fc.tuple(fc.constant(allowance), fc.array(command(allowance), { maxLength: 60 })));

function run(
  commands: readonly BillingCommand[],
  check: (history: readonly BillingEvent[]) => void,
): readonly BillingEvent[] {
  const history: BillingEvent[] = [];
  let state = billingDecider.initialState();
  for (const asked of commands) {
    try {
      const events = billingDecider.decide(asked, state);
      state = events.reduce(billingDecider.evolve, state);
      history.push(...events);
      expect(billingDecider.decide(asked, state)).toEqual([]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(error.code).toBe('INSUFFICIENT_CREDITS');
    }
    check(history);
  }
  return history;
}

/**
 * Reserved or consumed analyses of the free allowance, by month: counted from the events alone, not by the decider's
 * state.
 */
function taken(history: readonly BillingEvent[]): Map<string, number> {
  const back = new Set(history.flatMap((event) => (event.type === 'AnalysisReleased' ? [event.data.jobId] : [])));
  const counts = new Map<string, number>();
  for (const event of history) {
    if (event.type !== 'AnalysisReserved' || event.data.from !== 'free_allowance' || back.has(event.data.jobId))
      continue;
    counts.set(event.data.period, (counts.get(event.data.period) ?? 0) + 1);
  }
  return counts;
}

describe('billing, with any interleaving', () => {
  it(`never reserves or consumes more audits of a month than allowed (seed ${SEED})`, () => {
    let full = 0;
    fc.assert(
      fc.property(walk, ([allowance, commands]) => {
        const history = run(commands, (soFar) => {
          for (const count of taken(soFar).values()) expect(count).toBeLessThanOrEqual(allowance);
        });
        if (allowance > 0 && [...taken(history).values()].includes(allowance)) full += 1;
      }),
      { seed: SEED, numRuns: runs(2_000) },
    );
    expect(full).toBeGreaterThan(runs(100));
  });

  it(`ends every reservation once, consumed or released, and has one per job (seed ${SEED})`, () => {
    fc.assert(
      fc.property(walk, ([, commands]) => {
        const everyJob = new Set(
          commands.flatMap((asked) =>
            asked.type === 'ReserveAnalyses' ? asked.jobIds : 'jobId' in asked ? [asked.jobId] : [],
          ),
        );
        // As the sweep does with the rest: in the end nothing stays open.
        const settling = [...everyJob].map(
          (id): BillingCommand => ({
            type: 'ReleaseAnalysis',
            userId,
            jobId: id,
            reason: 'job_missing',
            at: '2026-04-01T00:00:00.000Z',
          }),
        );
        const history = run([...commands, ...settling], () => {});
        for (const id of everyJob) {
          const own = history
            .filter((event) => 'jobId' in event.data && event.data.jobId === id)
            .map((event) => event.type);
          if (own.length > 0)
            expect(own).toEqual([
              'AnalysisReserved',
              own[1] === 'AnalysisConsumed' ? 'AnalysisConsumed' : 'AnalysisReleased',
            ]);
        }
      }),
      { seed: SEED, numRuns: runs(2_000) },
    );
  });

  it(`never changes a state, in any order and from any earlier state (seed ${SEED})`, () => {
    const jobIds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'toString', '__proto__'];
    const seen = (state: BillingState) => ({
      analyses: jobIds.map((id) => analysisOf(state, id)),
      together: jobIds.map((id) => reservedTogether(state, id)),
      used: MONTHS.map((month) => [usedOf(state, month, 'free_allowance'), usedOf(state, month, 'admin')]),
    });
    // Each command continues from an earlier state, the newest or an older one, so that histories branch.
    const parting = fc
      .nat(4)
      .chain((allowance) => fc.array(fc.tuple(command(allowance), fc.nat(2)), { maxLength: 40 }));
    let parted = 0;
    fc.assert(
      fc.property(parting, (commands) => {
        const states = [{ state: billingDecider.initialState(), history: [] as readonly BillingEvent[] }];
        for (const [asked, back] of commands) {
          const from = states.at(-1 - back) ?? states[0]!;
          if (from !== states.at(-1)) parted += 1;
          try {
            const events = billingDecider.decide(asked, from.state);
            states.push({
              state: events.reduce(billingDecider.evolve, from.state),
              history: [...from.history, ...events],
            });
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
        }
        for (const { state, history } of states)
          expect(seen(state)).toEqual(seen(history.reduce(billingDecider.evolve, billingDecider.initialState())));
      }),
      { seed: SEED, numRuns: runs(500) },
    );
    expect(parted).toBeGreaterThan(runs(1_000));
  });
});
