/** The billing portal: cards, invoices, the end of a plan. Plans are changed with us, where it is said what a change costs. */
import type { Payments } from '../payments.ts';
import type { StripeClient } from './client.ts';

/** By this a configuration of ours is found again; another number makes a new one. */
const MARK = { seo_workbench: '1' };

export function portalCalls(client: StripeClient): Pick<Payments, 'openPortal'> {
  let kept: string | null = null;

  async function configuration(): Promise<string> {
    if (kept !== null) return kept;
    const { data } = await client.ask((stripe) => stripe.billingPortal.configurations.list({ active: true, limit: 100 }));
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
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl, configuration: of }, options),
      );
      return { url };
    },
  };
}
