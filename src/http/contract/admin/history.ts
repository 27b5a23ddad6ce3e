/** What happened to one thing, event by event, as admins read it. */
import { z } from 'zod';
import { components } from '../components.ts';
import { PageLimit } from '../paging.ts';

/** The name of a stream: `job-…`, `billing-…`. */
export const StreamName = z
  .string()
  .max(200)
  .regex(/^[\w.~-]+$/, 'That is no name of a stream');

const Revision = z
  .string()
  .regex(/^\d{1,15}$/, 'It is the number of an event')
  .optional();

const filters = {
  /** Types of events with commas between them. */
  types: z
    .string()
    .max(2_000)
    .regex(/^\w+(,\w+)*$/, 'It is a list of event types')
    .optional(),
  /** A kind of actor, the id of one, or the email of a user. */
  actor: z.string().trim().min(1).max(254).optional(),
  /** UTC ISO; `from` inclusive, `to` exclusive. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
};

export const HISTORY_ORDERS = ['newest', 'oldest'] as const;

export const HistoryQuery = z.strictObject({
  ...filters,
  /** Default: the newest first. */
  order: z.enum(HISTORY_ORDERS).optional(),
  /** The events after this number … */
  after: Revision,
  /** … or those before it. */
  before: Revision,
  limit: PageLimit,
});
export type HistoryQuery = z.input<typeof HistoryQuery>;

/** One field of the state. `before` or `after` absent: there was, or is, nothing there. */
const HistoryChange = z.object({ path: z.array(z.string()), before: z.unknown().optional(), after: z.unknown().optional() });
export type HistoryChange = z.infer<typeof HistoryChange>;

const Who = z.object({
  /** In words: 'ann@example.com', 'A worker'. */
  by: z.string(),
  actor: z.object({ kind: z.string(), id: z.string(), on_behalf_of: z.string().nullable() }),
});

export const HistoryEventView = Who.extend({
  /** Its number in the stream, from 0. */
  revision: z.number().int(),
  id: z.string(),
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  at: z.string(),
  /** Its place in the log of all events. */
  position: z.string(),
  /** The request or the event that was taken up, and the command. */
  correlation_id: z.string(),
  causation_id: z.string(),
  /** The version of its type that stands in the log, and the one that it is shown in. */
  stored_version: z.number().int(),
  version: z.number().int(),
  /** Why its data cannot be relied on. */
  unreadable: z.string().nullable(),
  /** Without what is secret; long texts and lists are cut. */
  data: z.record(z.string(), z.unknown()),
  changes: z.array(HistoryChange),
  /** Changes that are not listed. */
  omitted: z.number().int(),
});
export type HistoryEventView = z.infer<typeof HistoryEventView>;

export const HistoryResponse = z.object({
  success: z.literal(true),
  data: z.object({
    stream: z.string(),
    /** What it is, in plain words. */
    kind: z.string(),
    /** All types of events that such a stream may hold. */
    types: z.array(z.string()),
    owner: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
    /** `deleted`: nothing of it is left, and nothing is ever written there again. */
    status: z.enum(['found', 'deleted']),
    /** The event that says why the stream, or what stood before its first event, is gone; null: it is all there, or none is known. */
    deletion: Who.extend({ stream: z.string(), type: z.string(), title: z.string(), at: z.string() }).nullable(),
    /** Numbers of its first and its last event. */
    first: z.number().int().nullable(),
    last: z.number().int().nullable(),
    /** Its events change a state that is kept of it. */
    has_states: z.boolean(),
    /** In the order that was asked for. */
    events: z.array(HistoryEventView),
    /** Where the next pages begin: as `before` and as `after`; null: there are none that way. */
    older: z.number().int().nullable(),
    newer: z.number().int().nullable(),
  }),
});
export type HistoryResponse = z.infer<typeof HistoryResponse>;
export type HistoryPage = HistoryResponse['data'];

/** Default: the last one. */
export const HistoryStateQuery = z.strictObject({ at: Revision });
export const HistoryStateResponse = z.object({
  success: z.literal(true),
  /** The event with all of its data, and the states around it, without what is secret. */
  data: z.object({ event: HistoryEventView, before: z.unknown(), after: z.unknown() }),
});
export type HistoryStateResponse = z.infer<typeof HistoryStateResponse>;

/** Default: as JSON. */
export const HistoryExportQuery = z.strictObject({ ...filters, format: z.enum(['json', 'csv']).optional() });
export const HistoryExport = z.object({ format: z.string(), stream: z.string(), events: z.array(HistoryEventView) });

/** Without anything to look for nothing is found. */
export const FindQuery = z.strictObject({ q: z.string().trim().max(500).optional() });
export const FoundStreamsResponse = z.object({
  success: z.literal(true),
  data: z.array(z.object({ stream: z.string(), kind: z.string(), deleted: z.boolean(), about: z.string().nullable() })),
});
export type FoundStreamsResponse = z.infer<typeof FoundStreamsResponse>;

components({ FoundStreamsResponse, HistoryEventView, HistoryResponse, HistoryStateResponse });
