import { accountDecider, type PersonsReason } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { type EventStore, type Position, START } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { grantAdmin } from './grantAdmin.ts';

/** Accounts that may be admins; each one's own stream is authoritative. */
export type ListAdmins = () => Promise<readonly string[]>;

type RevokeAdmin = {
  readonly userId: string;
  readonly reason: PersonsReason | 'provider';
  /** With that reason: the id of its settings. */
  readonly provider?: string;
  /** The setting ADMIN_EMAIL. */
  readonly adminEmail: string | null;
  readonly listAdmins: ListAdmins;
};

/**
 * Withdraws the right to administer. Refused for the configured admin, because the setting and the log must not
 * contradict each other, and for the last admin.
 * @throws DomainError ACCOUNT_NOT_FOUND, ADMIN_CONFIGURED, LAST_ADMIN
 */
export async function revokeAdmin(
  ctx: CommandContext,
  { userId, reason, provider, adminEmail, listAdmins }: RevokeAdmin,
): Promise<{ readonly position: Position }> {
  const { state, position } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (state.status === 'active' && !state.isAdmin) return { position };
  if (state.status === 'active' && adminEmail !== null && state.email === normaliseEmail(adminEmail)) {
    throw new DomainError(
      'ADMIN_CONFIGURED',
      'The setting ADMIN_EMAIL names this account. Change the setting and restart the server first.',
    );
  }
  const of = provider ? { provider } : {};
  if (!(await isAnotherLeft(ctx.store, userId, listAdmins))) throw lastAdmin();
  const revoked = await handle(ctx, accountDecider, accountStream(userId), {
    type: 'RevokeAdmin',
    reason,
    ...of,
    at: ctx.now(),
  });
  // If two admins revoked each other at the same time, neither is revoked.
  if (await isAnotherLeft(ctx.store, userId, listAdmins)) return { position: revoked.position };
  await grantAdmin({ ...ctx, commandId: derivedId(ctx.commandId, 'kept') }, { userId, reason, ...of });
  throw lastAdmin();
}

async function isAnotherLeft(store: EventStore, userId: string, listAdmins: ListAdmins): Promise<boolean> {
  for (const other of await listAdmins()) {
    if (other === userId) continue;
    const { state } = await loadState(store, accountDecider, accountStream(other));
    if (state.status === 'active' && state.isAdmin && !state.isDisabled) return true;
  }
  return false;
}

/** Everyone ever granted the right, read from the log: for when no read model is available. */
export async function adminsInLog(store: EventStore): Promise<readonly string[]> {
  const userIds = new Set<string>();
  const pace = createPace('request');
  for (let after = START; ; ) {
    const page = await store.readAll({ after, limit: 500, filter: { types: ['AccountAdminGranted'] } });
    for (const { data } of eventsOf(page.events, 'AccountAdminGranted')) userIds.add(data.userId);
    if (page.end) return [...userIds];
    after = page.next;
    await pace.pass();
  }
}

const lastAdmin = (): DomainError =>
  new DomainError('LAST_ADMIN', 'This is the last admin. Make another account an admin first.');
