/** Stored events of what admins viewed. */
import * as z from 'zod';
import type { AdminLookEvent } from '../adminLook/events.ts';
import { at, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

export const ADMIN_LOOK_TYPES = {
  AdminLooked: stored(z.strictObject({ lookId: id, adminId: id, userId: id, thing: z.enum(['account', 'bill', 'job', 'report']), thingId: id, lookedAt: at }), [
    'lookId',
    'adminId',
    'userId',
    'thingId',
  ]),
} satisfies StoredTypes<AdminLookEvent>;
