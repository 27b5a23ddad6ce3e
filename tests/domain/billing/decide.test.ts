import { describe, expect, it } from 'vitest';
import { analysisOf, reservedTogether, usedOf } from '../../../src/domain/billing/billing.ts';
import { type BillingCommand, billingDecider, UNJUDGED_A_DAY } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import type { BillingState } from '../../../src/domain/billing/ledger.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(billingDecider);
const userId = 'user-1';
const at = '2026-03-31T23:59:59.999Z';
const april = '2026-04-01T00:00:00.000Z';

const reserve = (
  jobIds: readonly string[],
  more: { at?: string; allowance?: number; isAdmin?: boolean } = {},
): BillingCommand => ({
  type: 'ReserveAnalyses',
  userId,
  jobIds,
  batchId: 'batch-1',
  allowance: 3,
  isAdmin: false,
  at,
  ...more,
});
const reserved = (jobId: string, period = '2026-03', reservedAt = at): BillingEvent => ({
  type: 'AnalysisReserved',
  data: { userId, jobId, batchId: 'batch-1', from: 'free_allowance', period, access: 'preview', reservedAt },
});
const consumed = (jobId: string): BillingEvent => ({
  type: 'AnalysisConsumed',
  data: { userId, jobId, consumedAt: at },
});
const released = (jobId: string): BillingEvent => ({
  type: 'AnalysisReleased',
  data: { userId, jobId, reason: 'job_failed', from: 'free_allowance', period: '2026-03', releasedAt: at },
});
/** Events as old logs have them, with fewer fields. */
const old = {
  reserved: (jobId: string): BillingEvent => {
    const { batchId: _, ...data } = reserved(jobId).data as Extract<BillingEvent, { type: 'AnalysisReserved' }>['data'];
    return { type: 'AnalysisReserved', data };
  },
  released: (jobId: string): BillingEvent => ({
    type: 'AnalysisReleased',
    data: { userId, jobId, reason: 'job_failed', releasedAt: at },
  }),
};
const fold = (...events: readonly BillingEvent[]): BillingState =>
  events.reduce(billingDecider.evolve, billingDecider.initialState());

describe('reserving audits', () => {
  it('takes one from the free allowance, as a preview', () =>
    given()
      .when(reserve(['a']))
      .then(reserved('a')));
  it('takes a whole batch', () =>
    given()
      .when(reserve(['a', 'b', 'c']))
      .then(reserved('a'), reserved('b'), reserved('c')));
  it('takes nothing for a batch that is too large', () =>
    given(reserved('a'))
      .when(reserve(['b', 'c', 'd']))
      .thenRefused('INSUFFICIENT_CREDITS', { credits_required: 3, credits_available: 2 }));
  it('is refused when the allowance is used up', () =>
    given(reserved('a'), consumed('a'), reserved('b'), reserved('c'))
      .when(reserve(['d']))
      .thenRefused('INSUFFICIENT_CREDITS', { credits_required: 1, credits_available: 0 }));
  it('counts released audits as free again', () =>
    given(reserved('a'), released('a'), reserved('b'), reserved('c'))
      .when(reserve(['d']))
      .then(reserved('d')));
  it('has a full allowance again in the next month', () =>
    given(reserved('a'), reserved('b'), reserved('c'))
      .when(reserve(['d'], { at: april }))
      .then(reserved('d', '2026-04', april)));
  it('releases to the month it was taken from', () => {
    const past = [reserved('a'), reserved('b'), reserved('c'), reserved('d', '2026-04', april), released('a')];
    given(...past)
      .when(reserve(['e', 'f', 'g'], { at: april }))
      .thenRefused('INSUFFICIENT_CREDITS', { credits_available: 2 });
    given(...past)
      .when(reserve(['e']))
      .then(reserved('e'));
  });
  it('takes each job once, even twice in one batch', () => {
    given(reserved('a'))
      .when(reserve(['a']))
      .thenNothing();
    given()
      .when(reserve(['a', 'a', 'b', 'c']))
      .then(reserved('a'), reserved('b'), reserved('c'));
  });
  it('does not reserve again for a job whose audit was released', () =>
    given(reserved('a'), released('a'))
      .when(reserve(['a']))
      .thenNothing());
  it('accepts any id as a plain value', () =>
    given(reserved('a'))
      .when(reserve(['constructor']))
      .then(reserved('constructor')));
  it('uses the allowance it is given', () => {
    given()
      .when(reserve(['a'], { allowance: 0 }))
      .thenRefused('INSUFFICIENT_CREDITS', { credits_available: 0 });
    given(reserved('a'), reserved('b'), reserved('c'))
      .when(reserve(['d'], { allowance: 4 }))
      .then(reserved('d'));
  });
  it('has no debt when the allowance is lowered below its use', () =>
    given(reserved('a'), reserved('b'))
      .when(reserve(['c'], { allowance: 1 }))
      .thenRefused('INSUFFICIENT_CREDITS', { credits_available: 0 }));
  it('gives admins unlimited full audits without using their allowance', () => {
    const jobIds = ['a', 'b', 'c', 'd'];
    const byAdmin = jobIds.map(
      (jobId): BillingEvent => ({
        type: 'AnalysisReserved',
        data: { userId, jobId, batchId: 'batch-1', from: 'admin', period: '2026-03', access: 'full', reservedAt: at },
      }),
    );
    given()
      .when(reserve(jobIds, { isAdmin: true }))
      .then(...byAdmin);
    given(...byAdmin)
      .when(reserve(['e', 'f', 'g']))
      .then(reserved('e'), reserved('f'), reserved('g'));
  });
});

describe('ending a reservation', () => {
  const consume: BillingCommand = { type: 'ConsumeAnalysis', userId, jobId: 'a', at };
  const release: BillingCommand = { type: 'ReleaseAnalysis', userId, jobId: 'a', reason: 'job_failed', at };
  it('consumes it', () => given(reserved('a')).when(consume).then(consumed('a')));
  it('releases it', () => given(reserved('a')).when(release).then(released('a')));
  it('happens once, whichever comes first', () => {
    for (const past of [consumed('a'), released('a')]) {
      given(reserved('a'), past).when(consume).thenNothing();
      given(reserved('a'), past).when(release).thenNothing();
    }
  });
  it('ignores jobs that were never reserved', () => {
    given(reserved('b')).when(consume).thenNothing();
    given(reserved('b')).when(release).thenNothing();
    given()
      .when({ ...release, jobId: 'constructor' } as BillingCommand)
      .thenNothing();
  });
});

describe('releasing a completed audit that could judge nothing', () => {
  const NEXT_DAY = '2026-04-01T00:00:00.000Z';
  const release = (jobId: string, siteMark: number, when = at): BillingCommand => ({
    type: 'ReleaseAnalysis',
    userId,
    jobId,
    reason: siteMark % 2 === 0 ? 'shut_site' : 'not_judged',
    siteMark,
    at: when,
  });
  /** What becomes of audits that are released one after the other. */
  const settled = (...commands: readonly BillingCommand[]): readonly string[] => {
    let state = fold();
    return commands.map((command) => {
      const { jobId } = command as { readonly jobId: string };
      state = billingDecider.evolve(state, reserved(jobId));
      const events = billingDecider.decide(command, state);
      state = events.reduce(billingDecider.evolve, state);
      return analysisOf(state, jobId)?.status ?? '';
    });
  };
  it('gives back what was taken, and marks its site', () =>
    given(reserved('a'))
      .when(release('a', 8))
      .then({
        type: 'AnalysisReleased',
        data: { ...released('a').data, reason: 'shut_site', siteMark: 8 } as never,
      }));
  it('counts from the fourth of a site in a day on, for whichever of the two reasons', () => {
    expect(settled(release('a', 8), release('b', 8), release('c', 8), release('d', 8), release('e', 8))).toEqual([
      ...Array(UNJUDGED_A_DAY).fill('released'),
      'consumed',
      'consumed',
    ]);
    expect(UNJUDGED_A_DAY).toBe(3);
  });
  it('counts each site by itself', () =>
    expect(settled(...['a', 'b', 'c', 'd'].flatMap((nth) => [release(`${nth}8`, 8), release(`${nth}9`, 9)]))).toEqual([
      ...Array(6).fill('released'),
      'consumed',
      'consumed',
    ]));
  it('begins again the next day', () =>
    expect(
      settled(...['a', 'b', 'c', 'd'].map((jobId) => release(jobId, 8)), release('e', 8, NEXT_DAY)).slice(-2),
    ).toEqual(['consumed', 'released']));
  it('leaves failed and cancelled audits alone', () => {
    const failed: BillingCommand = { type: 'ReleaseAnalysis', userId, jobId: 'f', reason: 'job_failed', at };
    expect(settled(...['a', 'b', 'c', 'd'].map((jobId) => release(jobId, 8)), failed).at(-1)).toBe('released');
  });
  it('keeps a bounded number of sites, however many there are in a day', () => {
    const many = Array.from({ length: 1_000 }, (_, mark) => release(`job-${mark}`, mark));
    expect(new Set(settled(...many))).toEqual(new Set(['released']));
    let state = fold();
    for (const command of many) {
      state = billingDecider.evolve(state, reserved((command as { readonly jobId: string }).jobId));
      state = billingDecider.decide(command, state).reduce(billingDecider.evolve, state);
    }
    expect(state.unjudged.sites.length).toBe(100);
    expect(state.unjudged.sites.at(-1)).toEqual({ mark: 999, count: 1 });
  });
});

describe('a log from before reservations named their batch and their ends named what they release', () => {
  it('folds as before', () => {
    given(old.reserved('a'), old.reserved('b'), old.released('a'), old.reserved('c'), old.reserved('d'))
      .when(reserve(['e']))
      .thenRefused('INSUFFICIENT_CREDITS', { credits_available: 0 });
    given(old.reserved('a'))
      .when({ type: 'ReleaseAnalysis', userId, jobId: 'a', reason: 'job_failed', at })
      .then(released('a'));
  });
});

describe('the jobs of a reservation', () => {
  const of = (batchId: string, jobId: string): BillingEvent => ({
    type: 'AnalysisReserved',
    data: { ...reserved(jobId).data, batchId } as never,
  });
  it('are found from each of them, in order, whatever became of them', () => {
    const state = fold(of('x', 'b'), of('x', 'a'), of('y', 'c'), consumed('a'), of('z', 'd'), released('b'));
    expect(reservedTogether(state, 'a')).toEqual(['b', 'a']);
    expect(reservedTogether(state, 'b')).toEqual(['b', 'a']);
    expect(reservedTogether(state, 'c')).toEqual(['c']);
  });
  it('are unknown for old reservations and for jobs without one', () => {
    expect(reservedTogether(fold(old.reserved('a')), 'a')).toBeNull();
    expect(reservedTogether(fold(of('x', 'a')), 'b')).toBeNull();
  });
});

describe('a state', () => {
  const seen = (state: BillingState) => ({
    analyses: ['a', 'b', 'c'].map((jobId) => analysisOf(state, jobId)?.status ?? null),
    together: ['a', 'b', 'c'].map((jobId) => reservedTogether(state, jobId)),
    used: usedOf(state, '2026-03', 'free_allowance'),
  });
  it('is not changed by folding events on it, once or along two paths', () => {
    const before = fold(reserved('a'), reserved('b'));
    const asItWas = seen(before);
    const one = [consumed('a'), reserved('c')].reduce(billingDecider.evolve, before);
    const other = [released('a'), released('b')].reduce(billingDecider.evolve, before);
    expect(seen(before)).toEqual(asItWas);
    expect(seen(one)).toEqual({
      analyses: ['consumed', 'reserved', 'reserved'],
      together: Array(3).fill(['a', 'b', 'c']),
      used: 3,
    });
    expect(seen(other)).toEqual({
      analyses: ['released', 'released', null],
      together: [['a', 'b'], ['a', 'b'], null],
      used: 0,
    });
    expect(seen(fold(reserved('a'), reserved('b'), consumed('a'), reserved('c')))).toEqual(seen(one));
  });
  it('is extended without copying, however large', () => {
    const before = fold(...Array.from({ length: 1_000 }, (_, n) => reserved(`job-${n}`)));
    const after = [consumed('job-7'), released('job-8'), reserved('more')].reduce(billingDecider.evolve, before);
    expect(after.ledger).toBe(before.ledger);
  });
});
