/** How the records of what admins viewed are stored. */
import { ADMIN_LOOK_EVENTS } from '../adminLook/events.ts';
import { stored } from './storedType.ts';

export const ADMIN_LOOK_TYPES = stored(ADMIN_LOOK_EVENTS, ['lookId', 'adminId', 'userId', 'thingId']);
