/** The access policy, as used by routes and the socket. */
import { can, type PolicyAction, type PolicyActor, type Thing } from '../../domain/policy/policy.ts';
import type { Caller } from '../request/caller.ts';

type ActingCaller = Pick<Caller, 'userId' | 'apiKey'>;

function actorOf({ userId, apiKey }: ActingCaller): PolicyActor {
  return apiKey ? { kind: 'apiKey', userId, scope: apiKey.scope } : { kind: 'user', userId };
}

/**
 * Whether the caller may do this as the owner. If not, the thing does not exist for them; admin access to other users'
 * data does not go through these routes.
 */
export function mayAsOwner(caller: ActingCaller, action: PolicyAction, thing: Thing): boolean {
  const verdict = can(actorOf(caller), action, thing);
  return verdict.allowed && verdict.as === 'owner';
}

/** Whether the user may administer the installation: `isAdmin` as their account's own stream has it now. */
export function mayAdminister({ userId }: Pick<Caller, 'userId'>, isAdmin: boolean): boolean {
  return can({ kind: isAdmin ? 'admin' : 'user', userId }, 'read', { kind: 'installation' }).allowed;
}

/** Whether a visitor may use a shared link whose token they have: `opened` says whether it opens now. */
export function mayVisit(ownerId: string, opened: boolean): boolean {
  return can({ kind: 'anonymous' }, 'read', { kind: 'share', ownerId, opened }).allowed;
}
