/** The policy as routes and the socket ask it. */
import { can, type PolicyAction, type PolicyActor, type Thing } from '../../domain/policy/policy.ts';
import type { Caller } from './session.ts';

type Asking = Pick<Caller, 'userId' | 'apiKey'>;

function actorOf({ userId, apiKey }: Asking): PolicyActor {
  return apiKey ? { kind: 'apiKey', userId, scope: apiKey.scope } : { kind: 'user', userId };
}

/** Whether it is theirs to do that with. Otherwise it does not exist for them; an admin's look at another's is no part of these routes. */
export function mayAsOwner(caller: Asking, action: PolicyAction, thing: Thing): boolean {
  const verdict = can(actorOf(caller), action, thing);
  return verdict.allowed && verdict.as === 'owner';
}

/** By right of administering the installation: `isAdmin` as the account's own stream has it now. */
export function mayAdminister({ userId }: Pick<Caller, 'userId'>, isAdmin: boolean): boolean {
  return can({ kind: isAdmin ? 'admin' : 'user', userId }, 'read', { kind: 'installation' }).allowed;
}

/** By a share link whose token was shown: `opened` says that it opens now. */
export function mayVisit(ownerId: string, opened: boolean): boolean {
  return can({ kind: 'anonymous' }, 'read', { kind: 'share', ownerId, opened }).allowed;
}
