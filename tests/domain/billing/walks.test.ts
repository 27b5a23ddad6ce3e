/**
 * Random walks over everything that can happen to a bill: purchases, refunds, disputes, subscriptions and their
 * changes, cancellations, renewals, audits, failures and unlocks, with the provider's reports late, twice or in any
 * order. The bill is compared with a model that knows none of its rules.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysisOf, unlockOf } from '../../../src/domain/billing/billing.ts';
import { type BillingCommand, billingDecider, UNJUDGED_A_DAY } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent, Taken } from '../../../src/domain/billing/events.ts';
import { type BillingState, lookUp } from '../../../src/domain/billing/ledger.ts';
import { DomainError } from '../../../src/domain/decider.ts';
import { STORED } from '../../../src/domain/stored/registry.ts';
import type { PaidTier } from '../../../src/model/tiers.ts';
import { balancesOf, billing } from '../../../src/projections/billing.ts';
import { BUYER, REPORT } from '../../given/billing/facts.ts';
import { createWorld, type World } from '../../given/billing/world.ts';
import { FULL } from '../../given/fullForm.ts';
import { project } from '../../given/stores/projection.ts';

/** All of them with `npm run test:full`. */
const RUNS = FULL ? 5_000 : 500;
const SEED = 20261125;
const ALLOWANCE = 2;
/** Intermediate states, checked again at the end. */
const HELD = 3;

type Act = { readonly does: string; readonly acts: (world: World) => readonly BillingCommand[] };

const act = (does: string, acts: Act['acts']): Act => ({ does, acts });
const tier = fc.constantFrom<PaidTier>('tier1', 'tier1', 'tier2', 'tier3', 'tier4');
const job = fc.constantFrom(...Array.from({ length: 30 }, (_, nth) => `job-${nth}`));
const purpose = fc.constantFrom<'funds' | 'subscription'>('funds', 'funds', 'subscription');
const own = { userId: BUYER } as const;

const anAct: fc.Arbitrary<Act> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 15, 33.33, 100))
    .map(([quantity, off]) => act('buy', (world) => world.buy(quantity, off))),
  fc
    .tuple(fc.nat(), fc.constantFrom(1, 33, 50, 100), purpose)
    .map(([dice, percent, of]) => act('refund', (world) => world.refund(dice, percent, of))),
  fc.tuple(fc.nat(), purpose).map(([dice, of]) => act('dispute', (world) => world.dispute(dice, of))),
  fc.tuple(fc.nat(), fc.boolean()).map(([dice, won]) => act('decide', (world) => world.decideDispute(dice, won))),
  tier.map((to) => act('subscribe', (world) => world.subscribe(to))),
  tier.map((to) => act('change', (world) => world.change(to))),
  fc.constantFrom<'end' | 'once'>('end', 'end', 'once').map((at) => act('cancel', (world) => world.cancel(at))),
  fc
    .nat()
    .map((dice) =>
      act('resume', ({ now }) => [{ type: 'ResumeSubscription', ...own, noteId: `note-${dice}`, at: now() }]),
    ),
  fc.constant(act('reactivate', (world) => world.reactivate())),
  fc.boolean().map((paid) => act('renew', (world) => world.renew(paid))),
  fc.boolean().map((paid) => act('settle', (world) => world.settle(paid))),
  fc.integer({ min: 1, max: 9 }).map((days) => act('wait', (world) => world.wait(days))),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.nat(99))
    .map(([credits, grant]) =>
      act('grant', ({ now }) => [
        { type: 'GrantCredits', ...own, grantId: `grant-${grant}`, credits, noteId: 'note-1', at: now() },
      ]),
    ),
  fc.array(job, { minLength: 1, maxLength: 4 }).map((jobIds) =>
    act('analyse', ({ now }) => [
      {
        type: 'ReserveAnalyses',
        ...own,
        jobIds,
        batchId: jobIds.join(),
        allowance: ALLOWANCE,
        isAdmin: false,
        price: REPORT,
        at: now(),
      },
    ]),
  ),
  job.map((jobId) => act('finish', ({ now }) => [{ type: 'ConsumeAnalysis', ...own, jobId, at: now() }])),
  job.map((jobId) =>
    act('fail', ({ now }) => [{ type: 'ReleaseAnalysis', ...own, jobId, reason: 'job_failed', at: now() }]),
  ),
  fc
    .tuple(job, fc.nat(1))
    .map(([jobId, siteMark]) =>
      act('give back unjudged', ({ now }) => [
        { type: 'ReleaseAnalysis', ...own, jobId, reason: 'shut_site', siteMark, at: now() },
      ]),
    ),
  job.map((jobId) =>
    act('unlock', ({ now }) => [{ type: 'PayUnlock', ...own, jobId, isAdmin: false, price: REPORT, at: now() }]),
  ),
  fc
    .tuple(job, fc.nat(4))
    .map(([jobId, dice]) =>
      act('lose', ({ now }) => (dice === 0 ? [{ type: 'ReturnUnlock', ...own, jobId, at: now() }] : [])),
    ),
);

/** `when`: applied at once, delayed, or applied twice; `late`: which of the delayed ones is applied now. */
const step = fc.record({
  act: anAct,
  when: fc.constantFrom('now', 'now', 'now', 'later', 'twice'),
  late: fc.option(fc.nat(), { freq: 3 }),
});
const REFUSALS = [
  'INSUFFICIENT_CREDITS',
  'ALREADY_UNLOCKED',
  'PAYMENT_UNKNOWN',
  'SUBSCRIPTION_UNKNOWN',
  'NOT_SUSPENDED',
];

class Walk {
  readonly world = createWorld();
  readonly events: BillingEvent[] = [];
  readonly sums = noSums();
  state: BillingState = billingDecider.initialState();
  /** Intermediate states, with the number of events up to each and its answers then. */
  readonly held: { readonly state: BillingState; readonly after: number; readonly said: object }[] = [];
  private readonly kept: BillingCommand[] = [];

  take(taken: { readonly act: Act; readonly when: string; readonly late: number | null }): void {
    for (const command of taken.act.acts(this.world)) {
      if (taken.when === 'later') this.kept.push(command);
      else this.tell(command, taken.when === 'twice');
    }
    if (taken.late !== null && this.held.length < HELD)
      this.held.push({ state: this.state, after: this.events.length, said: saidBy(this) });
    const late = taken.late === null ? undefined : this.kept[taken.late % Math.max(1, this.kept.length)];
    if (late) this.tell(late, false);
  }

  /** Everything that was delayed, at the end, and what is compared with the provider. */
  end(): void {
    // A refund of a payment that is not in the books yet is reported again.
    for (let nth = 0; nth < 2; nth += 1) for (const command of this.kept) this.tell(command, false);
    for (const command of this.world.compare()) this.tell(command, true);
  }

  private tell(command: BillingCommand, twice: boolean): void {
    try {
      const events = billingDecider.decide(command, this.state);
      if (isStale(command, this.state)) expect(events).toEqual([]);
      for (const event of events) {
        this.state = billingDecider.evolve(this.state, event);
        this.events.push(event);
        add(this.sums, event);
        check(this, event);
      }
      if (twice && command.type !== 'RecordSync') expect(billingDecider.decide(command, this.state)).toEqual([]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(REFUSALS).toContain(error.code);
    }
  }
}

/** What the provider reported before the latest known state. */
function isStale(command: BillingCommand, { subscriptions }: BillingState): boolean {
  if (command.type !== 'RecordSubscription') return false;
  const { subscriptionId, asOf } = command.subscription;
  return subscriptions.some((known) => known.subscriptionId === subscriptionId && asOf < known.asOf);
}

/** Every query of a state. */
function saidBy({ world, events, state }: Pick<Walk, 'world' | 'events' | 'state'>): object {
  const jobIds = [...new Set(events.flatMap(({ data }) => ('jobId' in data ? [data.jobId] : [])))];
  const { credits, funds, subscriptions, months } = state;
  const jobs = jobIds.map((jobId) => [jobId, analysisOf(state, jobId), unlockOf(state, jobId)]);
  const payments = [...world.sales.keys()].map((id) => [id, lookUp(state, 'payments', id)]);
  return { credits, funds, subscriptions, months, jobs, payments };
}

/** The invariants after each event. */
function check({ world, sums, state }: Walk, event: BillingEvent): void {
  expect(STORED[event.type].schema.safeParse(event.data).success, JSON.stringify(event)).toBe(true);
  // The balance equals the events, in sum and in the last of them.
  expect([state.funds.amount, state.credits]).toEqual([sums.funds, sums.credits]);
  if ('balance' in event.data && event.data.balance !== undefined)
    expect(event.data.balance).toBe(
      'credits' in event.data || ('from' in event.data && event.data.from === 'credits') ? sums.credits : sums.funds,
    );
  // Nothing is granted twice, and nothing that was not bought.
  expect(new Set(sums.payments).size).toBe(sums.payments.length);
  for (const [payment, funds] of sums.added) expect(funds).toBe(world.sales.get(payment)?.face);
  // Never more is taken than is there; a refund may leave a debt, never more than was ever added.
  if (
    'from' in event.data &&
    event.type !== 'AnalysisReleased' &&
    event.type !== 'UnlockReturned' &&
    event.data.balance !== undefined
  )
    expect(event.data.balance).toBeGreaterThanOrEqual(0);
  expect(state.credits).toBeGreaterThanOrEqual(0);
  expect(state.funds.amount).toBeGreaterThanOrEqual(-sums.granted);
  // Never more of a period than it promised, nor of a month than is free.
  for (const [period, used] of sums.plan)
    expect([period, used <= (world.sold.get(period) ?? 0)]).toEqual([period, true]);
  for (const [month, used] of sums.free) expect([month, used <= ALLOWANCE]).toEqual([month, true]);
}

type Sums = ReturnType<typeof noSums>;

/** Counted from the events alone, without any of the rules. */
function noSums() {
  const [plan, free, added] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  return { funds: 0, credits: 0, granted: 0, payments: [] as string[], added, plan, free };
}

function add(sums: Sums, event: BillingEvent): void {
  if (event.type === 'AnalysisReserved' || event.type === 'UnlockPaid') take(sums, event.data, 1);
  if (event.type === 'AnalysisReleased' || event.type === 'UnlockReturned') take(sums, event.data as Taken, -1);
  if (event.type === 'CreditsGranted') sums.credits += event.data.credits;
  if (event.type === 'PaymentRefunded' || event.type === 'DisputeOpened') sums.funds -= event.data.funds;
  if (event.type === 'DisputeWon') sums.funds += event.data.funds;
  if (event.type !== 'FundsAdded') return;
  sums.funds += event.data.funds;
  sums.granted += event.data.funds;
  sums.payments.push(event.data.paymentIntentId);
  sums.added.set(event.data.paymentIntentId, event.data.funds);
}

function take(sums: Sums, { from, amount = 0, subscriptionId, periodStart, period }: Taken, change: 1 | -1): void {
  if (from === 'funds') sums.funds -= change * amount;
  if (from === 'credits') sums.credits -= change;
  const plan = `${subscriptionId}@${periodStart}`;
  if (from === 'plan') sums.plan.set(plan, (sums.plan.get(plan) ?? 0) + change);
  if (from === 'free_allowance') sums.free.set(period, (sums.free.get(period) ?? 0) + change);
}

/** The sales that were queried then. */
function soldBy(said: object): World {
  const { payments } = said as { readonly payments: readonly (readonly [string, unknown])[] };
  return { sales: new Map(payments.map(([id]) => [id, null])) } as unknown as World;
}

/** The invariants at the end of a walk, when everything was applied. */
function checkEnd(walk: Walk): void {
  const { world, events, sums, state } = walk;
  const of = (jobId: string, kind: string) =>
    events
      .filter(({ type, data }) => type.startsWith(kind) && 'jobId' in data && data.jobId === jobId)
      .map(({ type }) => type);
  for (const jobId of new Set(events.flatMap(({ data }) => ('jobId' in data ? [data.jobId] : [])))) {
    expect([
      '',
      'AnalysisReserved',
      'AnalysisReserved AnalysisConsumed',
      'AnalysisReserved AnalysisReleased',
    ]).toContain(of(jobId, 'Analysis').join(' '));
    expect(['', 'UnlockPaid', 'UnlockPaid UnlockReturned']).toContain(of(jobId, 'Unlock').join(' '));
  }
  const unjudged = events.flatMap((event) =>
    event.type === 'AnalysisReleased' && event.data.siteMark !== undefined
      ? [`${event.data.siteMark} ${event.data.releasedAt.slice(0, 10)}`]
      : [],
  );
  for (const each of new Set(unjudged))
    expect(unjudged.filter((other) => other === each).length).toBeLessThanOrEqual(UNJUDGED_A_DAY);
  // All purchases are in the books, and what is left of each is what was not refunded.
  const bought = [...world.sales.keys()].sort();
  expect(sums.payments.toSorted()).toEqual(bought);
  const invoices = events.flatMap(({ data }) => ('paid' in data && data.paid ? [data.paid.invoiceId] : []));
  expect(new Set(invoices).size).toBe(invoices.length);
  // The bill has the subscription as the provider has it.
  const theirs = world.subscription();
  if (theirs) {
    const known = state.subscriptions.find(({ subscriptionId }) => subscriptionId === theirs.subscriptionId);
    expect(known).toMatchObject({
      tier: theirs.tier,
      status: theirs.status,
      pending: theirs.status === 'canceled' ? null : theirs.pending,
    });
    // A period that was neither paid nor tried before it was given up is unknown and provides nothing.
    if (theirs.status === 'active' || theirs.status === 'past_due')
      expect(known).toMatchObject({ cancelsAt: theirs.cancelsAt, periodStart: theirs.periodStart });
  }
  // Pages show what the rules know.
  const shown = project(billing, ...events)[BUYER];
  if (shown?.kind === 'bill') {
    const { credits, funds, subscriptions, months } = balancesOf(shown);
    expect({ credits, funds, subscriptions }).toEqual({
      credits: state.credits,
      funds: state.funds,
      subscriptions: state.subscriptions,
    });
    for (const { period, used } of months)
      expect(state.months.find((month) => month.period === period)?.used).toMatchObject(used);
  }
  // No state has changed since, and from each of them the same events lead to the same end.
  const end = saidBy(walk);
  for (const { state: past, after, said } of [
    ...walk.held,
    { state: billingDecider.initialState(), after: 0, said: null },
  ]) {
    if (said) expect(saidBy({ world: soldBy(said), events: events.slice(0, after), state: past })).toEqual(said);
    expect(saidBy({ world, events, state: events.slice(after).reduce(billingDecider.evolve, past) })).toEqual(end);
  }
}

describe('a bill, whatever happens', () => {
  it(`never gives more than was paid or allowed, grants nothing twice, and explains its balance (${RUNS} walks, seed ${SEED})`, {
    timeout: 600_000,
  }, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const walk = new Walk();
        for (const each of steps) walk.take(each);
        walk.end();
        checkEnd(walk);
        for (const { type } of walk.events) seen.set(type, (seen.get(type) ?? 0) + 1);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    // The walks reached every case they are about.
    const missed = Object.keys(STORED).filter(
      (type) => /^(Analysis|Unlock|Funds|Credits|Payment|Dispute|Subscription)/.test(type) && !seen.has(type),
    );
    expect(missed).toEqual(['SubscriptionSynced']);
  });
});
