import { codeDecider, paymentsInTheWay } from '../../domain/code/code.ts';
import { codeStream } from '../../domain/code/events.ts';
import type { CountedCode, Payments } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { loadState } from '../handle.ts';
import { unlessRefused } from '../unlessRefused.ts';
import { abandonPurchase } from './abandonPurchase.ts';
import { codeIdOf, releaseCodeUse } from './codeUses.ts';

/**
 * Gives up other checkouts with a code with a limit, so that the use that goes to this user cannot be paid for twice.
 * @throws PaymentFault
 */
export async function endCheckoutsInTheWay(
  ctx: CommandContext,
  {
    userId,
    payments,
    promotion: { promotionCodeId, couponId, limits },
  }: {
    readonly userId: string;
    readonly payments: Pick<Payments, 'payment' | 'cancelPayment'>;
    readonly promotion: Pick<CountedCode, 'promotionCodeId' | 'couponId' | 'limits'>;
  },
): Promise<void> {
  if (!limits) return;
  const codeId = codeIdOf(couponId);
  const { state } = await loadState(ctx.store, codeDecider, codeStream(codeId));
  for (const { useId, ...of } of paymentsInTheWay(state, { promotionCodeId, userId, limits, at: ctx.now() })) {
    await abandonPurchase(ctx, { ...of, payments }).catch(async (error: unknown) => {
      unlessRefused('PAYMENT_NOT_FOUND')(error);
      await releaseCodeUse(ctx, { codeId, useId }, 'failed');
    });
  }
}
