/** What an admin does with other users' data. Routes with `access: 'admin'` have already checked the right. */
import { recordLook } from '../../commands/admin/recordLook.ts';
import type { CommandContext } from '../../commands/context.ts';
import type { LookedAt } from '../../domain/adminLook/events.ts';
import { can, type Thing } from '../../domain/policy/policy.ts';
import type { Caller } from '../request/caller.ts';
import { HttpError } from '../request/errors.ts';

type Administering = { readonly caller: Pick<Caller, 'userId'>; readonly command: CommandContext };

type Owned = Exclude<Thing, { readonly kind: 'share' | 'installation' }>;

/**
 * For commands that change another user's data: their events record the admin and the user acted for.
 * @throws HttpError NOT_FOUND if no policy lets an admin do that
 */
export function onBehalfOf(request: Administering, action: 'change' | 'remove', thing: Owned): CommandContext {
  const verdict = can({ kind: 'admin', userId: request.caller.userId }, action, thing);
  if (!verdict.allowed) throw noSuchThing();
  return actingFor(request, thing.ownerId);
}

const noSuchThing = (): HttpError => new HttpError('NOT_FOUND', 'There is no such thing.');

function actingFor({ caller, command }: Administering, userId: string): CommandContext {
  return caller.userId === userId
    ? command
    : { ...command, actor: { kind: 'admin', id: caller.userId, onBehalfOf: userId } };
}

const KIND: Readonly<Record<LookedAt, Owned['kind']>> = { account: 'account', bill: 'bill', job: 'job', report: 'job' };

/** For commands on the installation itself, which has no owner. */
export function asAdmin({ caller, command }: Administering): CommandContext {
  return { ...command, actor: { kind: 'admin', id: caller.userId } };
}

/**
 * Records that an admin views another user's data; call it before showing anything. Nothing is recorded for the admin's
 * own data, and lists across all users need no record.
 */
export async function recordView(
  request: Administering,
  look: { readonly ownerId: string; readonly thing: LookedAt; readonly thingId: string },
): Promise<void> {
  const { ownerId, thing, thingId } = look;
  const adminId = request.caller.userId;
  const verdict = can({ kind: 'admin', userId: adminId }, 'read', { kind: KIND[thing], ownerId });
  if (!verdict.allowed) throw noSuchThing();
  if (verdict.as === 'admin')
    await recordLook(actingFor(request, ownerId), { adminId, userId: ownerId, thing, thingId });
}
