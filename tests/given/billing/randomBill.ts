/** Random bills: purchases, refunds, disputes, subscriptions, audits and unlocks. The same seed gives the same bill. */
import { type BillingCommand, billingDecider } from '../../../src/domain/billing/decide.ts';
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import { DomainError } from '../../../src/domain/decider.ts';
import type { PaidTier } from '../../../src/model/tiers.ts';
import { BUYER, REPORT } from './facts.ts';
import { createWorld, type World } from './world.ts';

const TIERS: readonly PaidTier[] = ['tier1', 'tier2', 'tier3', 'tier4'];
const PURPOSES = ['funds', 'subscription'] as const;
const JOBS = 40;

/** Whole numbers below `most`. */
export function diceOf(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Act = (world: World, dice: (most: number) => number) => readonly BillingCommand[];

const own = { userId: BUYER } as const;
const pick = <T>(items: readonly [T, ...T[]] | readonly T[], dice: (most: number) => number): T =>
  items[dice(items.length)] as T;
const job = (dice: (most: number) => number): string => `job-${dice(JOBS)}`;

const ANALYSE: Act = ({ now }, dice) => {
  const jobIds = Array.from({ length: 1 + dice(4) }, () => job(dice));
  return [
    {
      type: 'ReserveAnalyses',
      ...own,
      jobIds,
      batchId: jobIds.join(),
      allowance: 3,
      isAdmin: dice(12) === 0,
      price: REPORT,
      at: now(),
    },
  ];
};
const FINISH: Act = ({ now }, dice) => [{ type: 'ConsumeAnalysis', ...own, jobId: job(dice), at: now() }];
const GIVE_BACK: Act = ({ now }, dice) => [
  { type: 'ReleaseAnalysis', ...own, jobId: job(dice), reason: 'job_cancelled', begun: dice(2) === 0, at: now() },
];

const GIVE_BACK_UNJUDGED: Act = ({ now }, dice) => [
  { type: 'ReleaseAnalysis', ...own, jobId: job(dice), reason: 'not_judged', siteMark: dice(2), at: now() },
];

const ACTS: readonly Act[] = [
  ANALYSE,
  ANALYSE,
  ANALYSE,
  ANALYSE,
  FINISH,
  FINISH,
  FINISH,
  FINISH,
  GIVE_BACK,
  GIVE_BACK,
  GIVE_BACK_UNJUDGED,
  (world, dice) => world.buy(1 + dice(4), pick([0, 15, 33.33, 100], dice)),
  (world, dice) => world.refund(dice(1_000), pick([1, 33, 100], dice), pick(PURPOSES, dice)),
  (world, dice) => world.dispute(dice(1_000), pick(PURPOSES, dice)),
  (world, dice) => world.decideDispute(dice(1_000), dice(2) === 0),
  (world, dice) => world.subscribe(pick(TIERS, dice)),
  (world, dice) => world.change(pick(TIERS, dice)),
  (world, dice) => world.cancel(pick(['end', 'end', 'once'], dice)),
  (world) => world.reactivate(),
  (world, dice) => world.renew(dice(4) > 0),
  (world, dice) => world.settle(dice(2) === 0),
  (world, dice) => world.wait(1 + dice(9)),
  ({ now }, dice) => [
    { type: 'GrantCredits', ...own, grantId: `grant-${dice(99)}`, credits: 1 + dice(3), noteId: 'note-1', at: now() },
  ],
  ({ now }, dice) => [{ type: 'PayUnlock', ...own, jobId: job(dice), isAdmin: false, price: REPORT, at: now() }],
  ({ now }, dice) => [{ type: 'ReturnUnlock', ...own, jobId: job(dice), at: now() }],
  ({ now }, dice) => [
    { type: 'LinkCustomer', ...own, customerId: `cus_${dice(3)}`, mode: pick(['live', 'test'], dice), at: now() },
  ],
  ({ now }, dice) => [{ type: 'CarryAllowanceOver', ...own, period: now().slice(0, 7), used: dice(3), at: now() }],
  ({ now }, dice) => [
    { type: 'RecordSync', ...own, outcome: pick(['in_step', 'late', 'failed'], dice), asked: dice(2) === 0, at: now() },
  ],
];

/** The result of this many random acts; those that a rule forbids have no effect. */
export function randomBill(seed: number, acts: number): readonly BillingEvent[] {
  const [dice, world] = [diceOf(seed), createWorld()];
  const events: BillingEvent[] = [];
  let state = billingDecider.initialState();
  for (let nth = 0; nth < acts; nth += 1) {
    for (const command of pick(ACTS, dice)(world, dice)) {
      for (const event of decided(command, state)) {
        state = billingDecider.evolve(state, event);
        events.push(event);
      }
    }
  }
  return events;
}

function decided(
  command: BillingCommand,
  state: ReturnType<typeof billingDecider.initialState>,
): readonly BillingEvent[] {
  try {
    return billingDecider.decide(command, state);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [];
  }
}
