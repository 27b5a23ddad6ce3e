/**
 * The billing portal: cards, invoices and canceling a plan. Plans are changed in our app, which shows the cost of a
 * change.
 */
import type { Payments } from '../payments.ts';
import type { StripeClient } from './client.ts';

/** Identifies our portal configuration; a new number creates a new one. */
const MARK = { seo_workbench: '1' };

export function portalCalls(client: StripeClient): Pick<Payments, 'openPortal'> {
  let kept: string | null = null;

  async function configuration(): Promise<string> {
    if (kept !== null) return kept;
    const { data } = await client.ask((stripe) =>
      stripe.billingPortal.configurations.list({ active: true, limit: 100 }),
    );
    const found = data.find(({ metadata }) => metadata?.seo_workbench === MARK.seo_workbench);
    kept = found?.id ?? (await make());
    return kept;
  }

  async function make(): Promise<string> {
    const { id } = await client.askOnce(`portal-configuration-${MARK.seo_workbench}`, (stripe, options) =>
      stripe.billingPortal.configurations.create(
        {
          features: {
            customer_update: { enabled: true, allowed_updates: ['address', 'name'] },
            invoice_history: { enabled: true },
            payment_method_update: { enabled: true },
            subscription_cancel: { enabled: true, mode: 'at_period_end' },
            subscription_update: { enabled: false },
          },
          metadata: MARK,
        },
        options,
      ),
    );
    return id;
  }

  return {
    async openPortal({ customerId, returnUrl, key }) {
      const of = await configuration();
      const { url } = await client.askOnce(key, (stripe, options) =>
        stripe.billingPortal.sessions.create(
          { customer: customerId, return_url: returnUrl, configuration: of },
          options,
        ),
      );
      return { url };
    },
  };
}
