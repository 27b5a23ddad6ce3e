/** What an admin does with what is another's, by their right to administer: routes with `access: 'admin'` have checked that right. */
import { recordLook } from '../../commands/admin/recordLook.ts';
import type { CommandContext } from '../../commands/context.ts';
import type { LookedAt } from '../../domain/adminLook/events.ts';
import { can, type Thing } from '../../domain/policy/policy.ts';
import { HttpError } from '../errors.ts';
import type { Caller } from './session.ts';

type Administering = { readonly caller: Pick<Caller, 'userId'>; readonly command: CommandContext };

const KIND: Readonly<Record<LookedAt, Exclude<Thing['kind'], 'share' | 'installation'>>> = { account: 'account', bill: 'bill', job: 'job', report: 'job' };

/** For commands that change what is another's: their events say which admin did it, and for whom. */
export function onBehalfOf({ caller, command }: Administering, userId: string): CommandContext {
  return caller.userId === userId ? command : { ...command, actor: { kind: 'admin', id: caller.userId, onBehalfOf: userId } };
}

/** For commands about the installation itself, which is nobody's. */
export function asAdmin({ caller, command }: Administering): CommandContext {
  return { ...command, actor: { kind: 'admin', id: caller.userId } };
}

/** Before an admin is shown a single thing of another's. Of their own things, nothing is recorded. Lists of everybody's things need no record. */
export async function lookAt(request: Administering, look: { readonly ownerId: string; readonly thing: LookedAt; readonly thingId: string }): Promise<void> {
  const { ownerId, thing, thingId } = look;
  const adminId = request.caller.userId;
  const verdict = can({ kind: 'admin', userId: adminId }, 'read', { kind: KIND[thing], ownerId });
  if (!verdict.allowed) throw new HttpError('NOT_FOUND', 'There is no such thing.');
  if (verdict.as === 'admin') await recordLook(onBehalfOf(request, ownerId), { adminId, userId: ownerId, thing, thingId });
}
