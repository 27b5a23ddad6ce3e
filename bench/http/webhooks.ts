/**
 * A webhook of the payment provider's, from its first byte to the answer: verified on the raw bytes, kept in the log;
 * alone and while audits run.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import Stripe from 'stripe';
import { createParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { paymentsOf, WEBHOOK_SECRET } from '../../tests/given/payments.ts';
import { auditSite, crawlEnv } from '../audit/audit.ts';
import { startChild } from '../child.ts';
import type { Figure } from '../measure.ts';
import { latencyRow } from './latency.ts';
import { type Product, startProduct } from './product.ts';

const SAMPLES = 500;
const AUDITS = 4;
/** About as long as the provider writes one. */
const PADDING = 'x'.repeat(2_500);
/** Nobody is there: a webhook is kept without asking. */
const PROVIDER = {
  url: 'http://127.0.0.1:9',
  secretKey: 'sk_sandbox_of_the_bench',
  publishableKey: 'pk_sandbox_of_the_bench',
};

function newWebhook(): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    created: Math.floor(Date.now() / 1_000),
    livemode: false,
    data: {
      object: {
        id: `pi_${randomUUID()}`,
        object: 'payment_intent',
        amount: 5_000,
        currency: 'usd',
        description: PADDING,
      },
    },
  });
  return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET }) };
}

/** Milliseconds from each webhook to its answer. */
async function sample({ url }: Product): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    const { body, signature } = newWebhook();
    const from = performance.now();
    const answer = await fetch(`${url}/api/v1/stripe/webhook`, {
      method: 'POST',
      headers: { 'stripe-signature': signature },
      body,
    });
    await answer.arrayBuffer();
    times.push(performance.now() - from);
    if (answer.status !== 200) throw new Error(`A webhook was answered ${answer.status}.`);
    await turn();
  }
  return times;
}

export const webhooks: Figure = {
  name: 'webhooks',
  async measure({ dir, say }) {
    const product = await startProduct(dir, { payments: paymentsOf(PROVIDER) });
    const site = startChild('audit/siteServer');
    const { port } = await site.ask<{ port: number }>({ pages: 200, bytes: 41_000 });
    const parser = createParserPool({ processes: 2 });
    const crawling = crawlEnv(port, parser);
    try {
      await sample(product);
      const alone = await sample(product);
      say(`the same while ${AUDITS} audits run`);
      let running = true;
      const audits = Array.from({ length: AUDITS }, async () => {
        while (running) await auditSite(`http://127.0.0.1:${port}/`, crawling.env);
      });
      const busy = [...(await sample(product)), ...(await sample(product))];
      running = false;
      await Promise.all(audits);
      return [
        latencyRow('webhook of the payment provider → verified, kept, answered: p50 / p99', alone),
        latencyRow(`the same while ${AUDITS} audits run`, busy, [20, 50]),
      ];
    } finally {
      await crawling.close();
      await parser.close();
      await site.stop();
      await product.close();
    }
  },
};
