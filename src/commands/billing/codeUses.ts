/** Uses of promotion codes with a limit, for reports: the provider counts only those for plans. */
import type { CodeUse } from '../../domain/billing/providerPayment.ts';
import { type CodeLimits, codeDecider, type UsesLeft, usesLeft } from '../../domain/code/code.ts';
import { type CodeReleaseReason, codeStream } from '../../domain/code/events.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { PromotionCode } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

/** How long an open checkout keeps its use, ms. */
const KEPT_MS = 30 * 60_000;

/** The stream of a discount: its id at the provider may have any characters. */
export const codeIdOf = (couponId: string): string => derivedId(couponId, 'code');

type Limited = Pick<PromotionCode, 'promotionCodeId' | 'code' | 'couponId'> & { readonly limits: CodeLimits };

/** Uses that are left at `at`, UTC ISO; null: no limit. */
export async function codeUsesLeft(
  store: EventStore,
  { promotionCodeId, couponId, limits }: Pick<PromotionCode, 'promotionCodeId' | 'couponId' | 'limits'>,
  at: string,
): Promise<UsesLeft | null> {
  if (!limits) return null;
  const { state } = await loadState(store, codeDecider, codeStream(codeIdOf(couponId)));
  return usesLeft(state, promotionCodeId, limits, at);
}

/** For half an hour, and after that for as long as nobody else wants it. @throws DomainError DISCOUNT_INVALID: none is left */
export async function reserveCodeUse(
  ctx: CommandContext,
  { userId, promotion }: { readonly userId: string; readonly promotion: Limited },
): Promise<CodeUse> {
  const { promotionCodeId, code, couponId, limits } = promotion;
  const use = { codeId: codeIdOf(couponId), useId: derivedId(ctx.commandId, 'code use'), promotionCodeId };
  const at = ctx.now();
  const expiresAt = new Date(Date.parse(at) + KEPT_MS).toISOString();
  const command = { type: 'ReserveCodeUse', ...use, code, userId, limits, expiresAt, at } as const;
  await handle(ctx, codeDecider, codeStream(use.codeId), command);
  return use;
}

/** @throws DomainError DISCOUNT_INVALID: another checkout of the user has replaced it */
export async function startCodeUse(
  ctx: CommandContext,
  { codeId, useId, paymentIntentId }: Pick<CodeUse, 'codeId' | 'useId'> & { readonly paymentIntentId: string },
): Promise<void> {
  const command = { type: 'StartCodeUse', codeId, useId, paymentIntentId, at: ctx.now() } as const;
  await handle(ctx, codeDecider, codeStream(codeId), command);
}

/** No effect if it was settled or released before. */
export async function releaseCodeUse(
  ctx: CommandContext,
  { codeId, useId }: Pick<CodeUse, 'codeId' | 'useId'>,
  reason: CodeReleaseReason,
): Promise<void> {
  await handle(ctx, codeDecider, codeStream(codeId), { type: 'ReleaseCodeUse', codeId, useId, reason, at: ctx.now() });
}

/** Counts once, also after its release. */
export async function settleCodeUse(
  ctx: CommandContext,
  use: CodeUse & { readonly code: string; readonly userId: string; readonly paymentIntentId: string },
): Promise<void> {
  await handle(ctx, codeDecider, codeStream(use.codeId), { type: 'SettleCodeUse', ...use, at: ctx.now() });
}
