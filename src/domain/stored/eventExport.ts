/** How the records of exports of events are stored. */
import { EVENT_EXPORT_EVENTS } from '../eventExport/events.ts';
import { stored } from './storedType.ts';

export const EVENT_EXPORT_TYPES = stored(EVENT_EXPORT_EVENTS, ['exportId', 'userId']);
