/** Anonymized events of the whole log, for analysts with a dedicated key. The rows are those of `npm run events`. */
import * as z from 'zod';

/** The response names the export in it, so that it can be resumed. */
export const EXPORT_ID_HEADER = 'Export-Id';

export const EventsQuery = z.object({
  /** A time, for events of that time and later; or a log position, for events after it. */
  from: z.string().max(40).optional(),
  /** A time, for events before it; or a log position, for events up to it. Default: what is there now. */
  to: z.string().max(40).optional(),
  /** Comma-separated names of types. Default: all. */
  types: z.string().max(4_000).optional(),
  /** The id of an export to go on with: its range and types are those with which it began. */
  resume: z.string().min(1).max(64).optional(),
  /** With `resume`: the last position that arrived. */
  after: z
    .string()
    .regex(/^\d{1,20}$/, 'It is a position of the log')
    .optional(),
});
export type EventsQuery = z.infer<typeof EventsQuery>;

/** One line per event, with the columns of docs/analysts.md. */
const EventLine = z.looseObject({
  position: z.string(),
  stream: z.string(),
  stream_kind: z.string(),
  revision: z.number().int(),
  id: z.string(),
  type: z.string(),
  version: z.number().int(),
  happened_at: z.string().nullable(),
  actor_kind: z.string(),
  actor_id: z.string(),
  on_behalf_of: z.string().nullable(),
  correlation_id: z.string(),
  causation_id: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** From time to time while no event of the range is found. */
const ProgressLine = z.object({ progress: z.object({ position: z.string() }) });

/** The last line. An answer without it is incomplete. */
const EndLine = z.object({
  end: z.object({
    export: z.string(),
    /** Events in this answer. */
    events: z.number().int(),
    /** Of these, events without data, since they were written by a later version or are damaged. */
    unreadable: z.number().int(),
    /** As `from` of the next export: a position, or the time of `to`. */
    next: z.string(),
    /** The same for all exports whose pseudonyms join. */
    pseudonyms: z.string(),
  }),
});
export type EndLine = z.infer<typeof EndLine>;

/** A line of the answer. */
export const EventsLine = z.union([EventLine, ProgressLine, EndLine]);
