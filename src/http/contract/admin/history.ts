/** The history of one thing, event by event, for admins. */
import * as z from 'zod';
import { PageLimit } from '../paging.ts';

/** Stream name: `job-…`, `billing-…`. */
export const StreamName = z
  .string()
  .max(200)
  .regex(/^[\w.~-]+$/, 'That is no name of a stream');

const Revision = z
  .string()
  .regex(/^\d{1,15}$/, 'It is the number of an event')
  .optional();

const filters = {
  /** Comma-separated event types. */
  types: z
    .string()
    .max(2_000)
    .regex(/^\w+(,\w+)*$/, 'It is a list of event types')
    .optional(),
  /** An actor kind, an actor id or a user's email. */
  actor: z.string().trim().min(1).max(254).optional(),
  /** UTC ISO; `from` inclusive, `to` exclusive. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
};

export const HISTORY_ORDERS = ['newest', 'oldest'] as const;

export const HistoryQuery = z.object({
  ...filters,
  /** Default: newest first. */
  order: z.enum(HISTORY_ORDERS).optional(),
  /** Events after this revision … */
  after: Revision,
  /** … or before it. */
  before: Revision,
  limit: PageLimit,
});
export type HistoryQuery = z.input<typeof HistoryQuery>;

/** One field of the state. `before` is absent for an added value, `after` for a removed one. */
const HistoryChange = z.object({
  path: z.array(z.string()),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type HistoryChange = z.infer<typeof HistoryChange>;

const Who = z.object({
  /** Display name: 'ann@example.com', 'A worker'. */
  by: z.string(),
  actor: z.object({ kind: z.string(), id: z.string(), on_behalf_of: z.string().nullable() }),
});

export const HistoryEventView = Who.extend({
  /** Revision in the stream, from 0. */
  revision: z.number().int(),
  id: z.string(),
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  at: z.string(),
  /** Position in the log. */
  position: z.string(),
  /** The triggering request or event, and the command. */
  correlation_id: z.string(),
  causation_id: z.string(),
  /** The stored schema version, and the one it is shown in. */
  stored_version: z.number().int(),
  version: z.number().int(),
  /** Why its data is unreliable. */
  unreadable: z.string().nullable(),
  /** Without secrets; long texts and lists are cut. */
  data: z.record(z.string(), z.unknown()),
  changes: z.array(HistoryChange),
  /** Number of changes not listed. */
  omitted: z.number().int(),
});
export type HistoryEventView = z.infer<typeof HistoryEventView>;

export const HistoryResponse = z.object({
  success: z.literal(true),
  data: z.object({
    stream: z.string(),
    /** Display name. */
    kind: z.string(),
    /** All event types that such a stream may hold. */
    types: z.array(z.string()),
    owner: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
    /** `deleted`: nothing is left, and nothing will ever be written there again. */
    status: z.enum(['found', 'deleted']),
    /**
     * The event that explains why the stream, or its start, is gone; null if it is complete or no such event is known.
     */
    deletion: Who.extend({ stream: z.string(), type: z.string(), title: z.string(), at: z.string() }).nullable(),
    /** Revisions of its first and last events. */
    first: z.number().int().nullable(),
    last: z.number().int().nullable(),
    /** Whether its events build up a state. */
    has_states: z.boolean(),
    /** In the requested order. */
    events: z.array(HistoryEventView),
    /** Where the adjacent pages start, as `before` and `after`; null if there are none. */
    older: z.number().int().nullable(),
    newer: z.number().int().nullable(),
  }),
});
export type HistoryResponse = z.infer<typeof HistoryResponse>;
export type HistoryPage = HistoryResponse['data'];

/** Default: the latest. */
export const HistoryStateQuery = z.object({ at: Revision });
export const HistoryStateResponse = z.object({
  success: z.literal(true),
  /** The event with all its data and the states around it, without secrets. */
  data: z.object({ event: HistoryEventView, before: z.unknown(), after: z.unknown() }),
});
export type HistoryStateResponse = z.infer<typeof HistoryStateResponse>;

/** Default: JSON. */
export const HistoryExportQuery = z.object({ ...filters, format: z.enum(['json', 'csv']).optional() });
export const HistoryExport = z.object({ format: z.string(), stream: z.string(), events: z.array(HistoryEventView) });

/** An empty search finds nothing. */
export const FindQuery = z.object({ q: z.string().trim().max(500).optional() });
export const FoundStreamsResponse = z.object({
  success: z.literal(true),
  data: z.array(z.object({ stream: z.string(), kind: z.string(), deleted: z.boolean(), about: z.string().nullable() })),
});
export type FoundStreamsResponse = z.infer<typeof FoundStreamsResponse>;
