import { adminLookDecider } from '../../domain/adminLook/adminLook.ts';
import { adminLookStream, type LookedAt } from '../../domain/adminLook/events.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle } from '../handle.ts';

/**
 * Called before an admin is shown another user's data. Recorded once per subject and UTC day, however often it is
 * opened.
 */
export async function recordLook(
  ctx: CommandContext,
  look: { readonly adminId: string; readonly userId: string; readonly thing: LookedAt; readonly thingId: string },
): Promise<void> {
  const at = ctx.now();
  const lookId = derivedId(look.adminId, look.thing, look.thingId, at.slice(0, 10));
  await handle(ctx, adminLookDecider, adminLookStream(lookId), {
    type: 'RecordAdminLook',
    look: { lookId, ...look },
    at,
  });
}
