/** Operator commands for admin rights and lost second factors. */

import * as z from 'zod';
import { emailStreamOf } from '../commands/account/emailStreamOf.ts';
import { grantAdmin } from '../commands/account/grantAdmin.ts';
import { adminsInLog, revokeAdmin } from '../commands/account/revokeAdmin.ts';
import { type CommandContext, contextOf } from '../commands/context.ts';
import { loadState } from '../commands/handle.ts';
import { removeSecondFactor, requiredEnrolment } from '../commands/secondFactor/secondFactor.ts';
import { requestSessionsEnd } from '../commands/session/endSessions.ts';
import { accountDecider } from '../domain/account/decide.ts';
import { emailDecider } from '../domain/account/email.ts';
import { accountStream } from '../domain/account/events.ts';
import { DomainError } from '../domain/decider.ts';
import type { EventStore } from '../eventStore/eventStore.ts';

export const AdminRequest = z.strictObject({
  action: z.enum(['grant', 'revoke', 'reset-mfa']),
  id: z.string().min(1).max(200),
  email: z.string().min(1).max(320),
});
export type AdminRequest = z.infer<typeof AdminRequest>;

/** `changed`: false if it already was so. */
export type AdminAnswer = { readonly changed: boolean };

/**
 * `adminEmail`: the setting ADMIN_EMAIL.
 * @throws DomainError ACCOUNT_NOT_FOUND, EMAIL_UNCONFIRMED, ADMIN_CONFIGURED, LAST_ADMIN
 */
export async function operateAdmins(
  store: EventStore,
  adminEmail: string | null,
  { action, id, email }: AdminRequest,
): Promise<AdminAnswer> {
  const { userId } = (await loadState(store, emailDecider, emailStreamOf(email))).state;
  if (userId === null) throw new DomainError('ACCOUNT_NOT_FOUND', `There is no account with the address ${email}.`);
  const actor = { kind: 'system', id: 'operator' } as const;
  const ctx = contextOf({ store, now: () => new Date().toISOString(), commandId: id, actor }, null);
  if (action === 'reset-mfa') return { changed: await resetSecondFactor(ctx, userId) };
  const before = await isAdmin(store, userId);
  if (action === 'grant') await grantAdmin(ctx, { userId, reason: 'operator' });
  else await revokeAdmin(ctx, { userId, reason: 'operator', adminEmail, listAdmins: () => adminsInLog(store) });
  return { changed: before !== (await isAdmin(store, userId)) };
}

/** Codes that were shown before prove nothing any more, so the sessions end, by the follower of that order. */
async function resetSecondFactor(ctx: CommandContext, userId: string): Promise<boolean> {
  if ((await requiredEnrolment(ctx, userId)) !== null) await requestSessionsEnd(ctx, { userId, keptSessionId: null });
  return (await removeSecondFactor(ctx, { userId, reason: 'operator' })).removed;
}

async function isAdmin(store: EventStore, userId: string): Promise<boolean> {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' && state.isAdmin;
}
