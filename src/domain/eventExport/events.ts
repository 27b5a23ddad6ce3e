/**
 * Storage format, version with care. Stream: `event-export-{exportId}`: anonymized events were exported over HTTP; once
 * per export, however often it was resumed.
 */
import * as z from 'zod';
import { at, type EventIn, id } from '../eventSchemas.ts';

export const eventExportStream = (exportId: string): string => `event-export-${exportId}`;

export const EVENT_EXPORT_EVENTS = {
  EventsExported: z.strictObject({
    exportId: id,
    /** The admin, or the admin whose key it was. */
    userId: id,
    /** Null: by the admin's session. */
    keyId: id.nullable(),
    /** Positions of the log: events after `after`, up to and including `upTo`. */
    after: z.string(),
    upTo: z.string(),
    /** Of these, only events of that time and later, and before that time. */
    since: at.exactOptional(),
    before: at.exactOptional(),
    /** Absent: all. */
    types: z.array(z.string()).exactOptional(),
    /** Distinguishes the keys of pseudonyms, and reveals nothing about them. */
    pseudonyms: z.string(),
    exportedAt: at,
  }),
};
export type EventExportEvent = EventIn<typeof EVENT_EXPORT_EVENTS>;
