/** Operator commands for bills: free credits. */
import * as z from 'zod';
import { emailStreamOf } from '../commands/account/emailStreamOf.ts';
import { grantCredits } from '../commands/billing/grantCredits.ts';
import { contextOf } from '../commands/context.ts';
import { loadState } from '../commands/handle.ts';
import { emailDecider } from '../domain/account/email.ts';
import { DomainError } from '../domain/decider.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import { MOST_CREDITS } from '../model/limits.ts';

export const BillRequest = z.strictObject({
  action: z.literal('grant-credits'),
  /** Idempotency key: a grant is made once. */
  id: z.string().min(1).max(200),
  email: z.string().min(1).max(320),
  credits: z.int().min(1).max(MOST_CREDITS),
  reason: z.string().trim().min(1).max(500),
});
export type BillRequest = z.infer<typeof BillRequest>;

/** `credits`: the account's current balance. */
export type BillAnswer = { readonly credits: number };

/** @throws DomainError ACCOUNT_NOT_FOUND */
export async function operateBills(
  store: EventStore,
  { id, email, credits, reason }: BillRequest,
): Promise<BillAnswer> {
  const { userId } = (await loadState(store, emailDecider, emailStreamOf(email))).state;
  if (userId === null) throw new DomainError('ACCOUNT_NOT_FOUND', `There is no account with the address ${email}.`);
  const actor = { kind: 'system', id: 'operator' } as const;
  const ctx = contextOf({ store, now: () => new Date().toISOString(), commandId: id, actor }, null);
  const { credits: held } = await grantCredits(ctx, { userId, credits, reason });
  return { credits: held };
}
