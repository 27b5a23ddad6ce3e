/**
 * Storage format, version with care. Stream: `admin-look-{lookId}`: an admin viewed another user's data; once per
 * subject and day.
 */
import * as z from 'zod';
import { at, type EventIn, type Infer, id } from '../eventSchemas.ts';

export const adminLookStream = (lookId: string): string => `admin-look-${lookId}`;

/** `bill` and `account` are identified by their owner's id, `job` and `report` by the job's. */
const lookedAt = z.enum(['account', 'bill', 'job', 'report']);
export type LookedAt = Infer<typeof lookedAt>;

export const ADMIN_LOOK_EVENTS = {
  AdminLooked: z.strictObject({
    lookId: id,
    adminId: id,
    /** The owner. */
    userId: id,
    thing: lookedAt,
    thingId: id,
    lookedAt: at,
  }),
};
export type AdminLookEvent = EventIn<typeof ADMIN_LOOK_EVENTS>;
