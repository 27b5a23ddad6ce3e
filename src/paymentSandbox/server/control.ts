/**
 * `/control`: what no provider offers. The clock, faults, the decisions of cardholders and banks, and the books in
 * total.
 */
import * as z from 'zod';
import { need } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { finishSlow } from '../payments/attempt.ts';
import { answerChallenge } from '../payments/challenges.ts';
import { closeDispute, openDispute } from '../payments/disputes.ts';
import type { Deliverer } from '../webhooks/deliverer.ts';
import { invalid } from './apiError.ts';
import { bookSums } from './bookSums.ts';
import type { Engine } from './engine.ts';
import { FAULT, type Faults } from './faults.ts';

export type ControlDeps = { readonly engine: Engine; readonly faults: Faults; readonly deliverer: Deliverer };

type Act = (body: unknown, deps: ControlDeps) => object | Promise<object>;

const act =
  <T>(schema: z.ZodType<T>, run: (given: T, deps: ControlDeps) => object | Promise<object>): Act =>
  (body, deps) => {
    const read = schema.safeParse(body);
    if (!read.success) throw invalid(z.prettifyError(read.error));
    return run(read.data, deps);
  };

const NOBODY = { id: null, idempotencyKey: null };
const NOTHING = z.unknown();

const OUTCOME = z.enum(['succeed', 'fail']);

const ACTS: Readonly<Record<string, Act>> = {
  'GET /control/clock': act(NOTHING, (_, { engine }) => ({ now: engine.now() })),
  'POST /control/clock': act(
    z.union([z.strictObject({ to: z.int() }), z.strictObject({ by: z.int().min(0) })]),
    (given, { engine }) => {
      const to = 'to' in given ? given.to : engine.now() + given.by;
      if (to < engine.now()) throw invalid('The clock goes forward only.', undefined, 'to');
      engine.advanceTo(to);
      return { now: engine.now() };
    },
  ),
  'GET /control/faults': act(NOTHING, (_, { faults }) => ({ faults: faults.list(), struck: faults.struck() })),
  'POST /control/faults': act(z.strictObject({ faults: z.array(FAULT) }), (given, { faults }) => {
    faults.set(given.faults);
    return { faults: faults.list() };
  }),
  'POST /control/deliver': act(NOTHING, async (_, { engine, deliverer }) => {
    engine.work(NOBODY, () => null);
    await deliverer.flush();
    return { delivered: true };
  }),
  'POST /control/disputes': act(
    z.strictObject({
      charge: z.string().optional(),
      payment_intent: z.string().optional(),
      reason: z.string().default('fraudulent'),
    }),
    ({ charge, payment_intent, reason }, { engine }) =>
      engine.work(NOBODY, (context) => {
        const id =
          charge ?? idOf(need(context, 'payment_intent', payment_intent ?? '', 'payment_intent').latest_charge);
        return openDispute(context, need(context, 'charge', id ?? '', 'charge'), reason);
      }),
  ),
  'POST /control/disputes/close': act(
    z.strictObject({ dispute: z.string(), outcome: z.enum(['lost', 'won']) }),
    ({ dispute, outcome }, { engine }) =>
      engine.work(NOBODY, (context) => closeDispute(context, need(context, 'dispute', dispute, 'dispute'), outcome)),
  ),
  /** As when test data are deleted: no event tells of it. */
  'POST /control/wipe': act(z.strictObject({ subscription: z.string() }), ({ subscription }, { engine }) =>
    engine.work(NOBODY, (context) => {
      const { id } = need(context, 'subscription', subscription, 'subscription');
      context.store.remove('subscription', id);
      return { id, wiped: true };
    }),
  ),
  'POST /control/challenges': act(
    z.strictObject({ intent: z.string(), outcome: OUTCOME }),
    ({ intent, outcome }, { engine }) => engine.work(NOBODY, (context) => answerChallenge(context, intent, outcome)),
  ),
  'POST /control/payments': act(
    z.strictObject({ payment_intent: z.string(), outcome: OUTCOME }),
    ({ payment_intent, outcome }, { engine }) =>
      engine.work(NOBODY, (context) => {
        if (need(context, 'payment_intent', payment_intent, 'payment_intent').status !== 'processing')
          throw invalid('It is not being processed.', undefined, 'payment_intent');
        finishSlow(context, payment_intent, outcome);
        return need(context, 'payment_intent', payment_intent);
      }),
  ),
  'GET /control/books': act(NOTHING, (_, { engine }) => engine.work(NOBODY, bookSums)),
};

/** @throws ApiError when there is no such action, or its parameters are invalid */
export async function control(method: string, path: string, body: unknown, deps: ControlDeps): Promise<object> {
  const run = ACTS[`${method} ${path}`];
  if (!run)
    throw invalid(`There is nothing to control at ${method} ${path}. There is: ${Object.keys(ACTS).join(', ')}.`);
  try {
    return await run(body, deps);
  } finally {
    deps.deliverer.nudge();
  }
}
