/** Texts of the billing emails. */
import { moneyText } from '../../model/money.ts';
import type { Money } from '../../model/purchase.ts';
import { nameOfTier, type PaidTier } from '../../model/tiers.ts';
import { type MailBlock, type MailContent, PRODUCT } from './layout.ts';
import type { Surroundings } from './texts.ts';

export type Receipt = Money & {
  readonly paidAt: string;
  /** The provider's invoice number, if there is one. */
  readonly number: string | null;
  /** `funds`: in cents. */
  readonly bought:
    | { readonly kind: 'reports'; readonly quantity: number; readonly funds: number }
    | { readonly kind: 'plan'; readonly tier: PaidTier; readonly periodEnd: string };
};

export function receiptMail({ appUrl, supportEmail }: Surroundings, receipt: Receipt): MailContent {
  const { amount, currency, paidAt, number } = receipt;
  const paid = moneyText({ amount, currency });
  return {
    subject: `Your ${PRODUCT} receipt: ${paid}`,
    heading: 'Thank you for your payment',
    blocks: [
      { kind: 'figure', value: paid, label: `Paid on ${dateOf(paidAt)}` },
      { kind: 'text', text: boughtText(receipt) },
      ...(number === null ? [] : [{ kind: 'text', text: `Invoice ${number}` } satisfies MailBlock]),
      { kind: 'button', label: 'View your account', url: `${appUrl}/account` },
    ],
    footer: [
      { text: `You’re receiving this because of a payment for ${PRODUCT}.` },
      { text: `Questions about it? Contact ${supportEmail}.` },
    ],
  };
}

function boughtText({ bought, currency }: Receipt): string {
  if (bought.kind === 'plan') return `${nameOfTier(bought.tier)} plan, paid until ${dateOf(bought.periodEnd)}.`;
  const { quantity, funds } = bought;
  return `${quantity} ${quantity === 1 ? 'report' : 'reports'}. We added ${moneyText({ amount: funds, currency })} to your funds.`;
}

type FailedPayment = Money & { readonly tier: PaidTier; readonly graceEndsAt: string };

export function paymentFailedMail(
  { appUrl, supportEmail }: Surroundings,
  { tier, amount, currency, graceEndsAt }: FailedPayment,
): MailContent {
  const plan = nameOfTier(tier);
  return {
    subject: `Your payment for the ${plan} plan didn’t go through`,
    heading: 'Your payment didn’t go through',
    blocks: [
      {
        kind: 'text',
        text: `We couldn’t charge ${moneyText({ amount, currency })} for your ${plan} plan. We’ll try again in the next few days.`,
      },
      {
        kind: 'text',
        text: `Your plan stays as it is until ${dateOf(graceEndsAt)}. To keep it, update your card: open the billing portal on your plan page.`,
      },
      { kind: 'button', label: 'Update your card', url: `${appUrl}/account/upgrade` },
    ],
    footer: [
      { text: 'You’re receiving this because your subscription needs your attention.' },
      { text: `Questions about it? Contact ${supportEmail}.` },
    ],
  };
}

type EndingPlan = { readonly tier: PaidTier; readonly cancelsAt: string; readonly unsubscribeUrl: string };

export function subscriptionEndsMail(
  { appUrl }: Surroundings,
  { tier, cancelsAt, unsubscribeUrl }: EndingPlan,
): MailContent {
  const plan = nameOfTier(tier);
  return {
    subject: `Your ${plan} plan ends on ${dateOf(cancelsAt)}`,
    heading: `Your ${plan} plan ends soon`,
    blocks: [
      {
        kind: 'text',
        text: `You canceled your ${plan} plan. It ends on ${dateOf(cancelsAt)}; until then you can use all of it.`,
      },
      { kind: 'text', text: 'Changed your mind? Reactivate it before it ends, and nothing changes.' },
      { kind: 'button', label: 'Reactivate your plan', url: `${appUrl}/account/upgrade` },
    ],
    footer: [
      {
        text: 'You’re receiving this because your subscription is about to end.',
        link: { label: 'Unsubscribe', url: unsubscribeUrl },
      },
    ],
  };
}

export function subscriptionEndedMail(
  { appUrl, supportEmail }: Surroundings,
  { tier, endedAt }: { readonly tier: PaidTier; readonly endedAt: string },
): MailContent {
  const plan = nameOfTier(tier);
  return {
    subject: `Your ${plan} plan was canceled`,
    heading: `Your ${plan} plan was canceled`,
    blocks: [
      { kind: 'text', text: `Your ${plan} plan ended on ${dateOf(endedAt)}, and you won’t be charged for it again.` },
      { kind: 'text', text: 'Your reports stay, and so do your funds and credits. You’re welcome back any time.' },
      { kind: 'button', label: 'View plans', url: `${appUrl}/account/upgrade` },
    ],
    footer: [
      {
        text: `You’re receiving this because your subscription has ended. Questions about it? Contact ${supportEmail}.`,
      },
    ],
  };
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const dateOf = (at: string): string => DATE.format(new Date(at));
