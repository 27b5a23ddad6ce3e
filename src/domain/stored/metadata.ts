/** Who did it, when, and why: the metadata of every event. Contains no personal data, because it outlives deletions. */
import * as z from 'zod';
import { at } from '../eventSchemas.ts';

const text = z.string().min(1);
/** SHA-256, base64url. */
const eventHash = z.string().regex(/^[\w-]{43}$/);

/**
 * `worker` and `system` are named after their job, `anonymous` after its entry point. An API key and an admin act on
 * behalf of a user (`onBehalfOf`: the user's id).
 */
const actor = z.strictObject({
  kind: z.enum(['user', 'apiKey', 'admin', 'worker', 'system', 'anonymous']),
  id: text,
  onBehalfOf: text.exactOptional(),
});

export const EVENT_METADATA = z.strictObject({
  actor,
  at,
  /**
   * The request, or the event that a worker or follower processed; for the operator's and timers' own work, the
   * command.
   */
  correlationId: text,
  /** The command. */
  causationId: text,
  /** Version of the event's data; absent: 1. */
  schemaVersion: z.int().positive().exactOptional(),
  /**
   * Hash of the previous event in its stream (`src/eventStore/chain/`); absent from a stream's first event and from
   * events older than the chain.
   */
  previousHash: eventHash.exactOptional(),
  /** For an event with which streams are deleted permanently: the hash of each stream's last event, by stream name. */
  erased: z.record(text, eventHash).exactOptional(),
});

export type Actor = Readonly<z.infer<typeof actor>>;
export type EventMetadata = Readonly<z.infer<typeof EVENT_METADATA>>;

/** `user:{id}`: how an actor appears in event data and in texts. */
export const actorName = ({ kind, id, onBehalfOf }: Actor): string =>
  onBehalfOf === undefined ? `${kind}:${id}` : `user:${onBehalfOf}`;

/** The id of the user who did it or for whom it was done; null if there is none. */
export const userOf = ({ kind, id, onBehalfOf }: Actor): string | null => onBehalfOf ?? (kind === 'user' ? id : null);

/** Converts to the current form. Originally, an actor was a string, and not every event recorded its cause. */
export function currentMetadata(metadata: unknown, eventId: string): EventMetadata {
  const { actor: who, at: when, correlationId, causationId, schemaVersion, previousHash } = record(metadata);
  const cause = filled(causationId) ?? filled(correlationId) ?? eventId;
  return {
    actor: currentActor(who),
    at: typeof when === 'string' ? when : '',
    correlationId: filled(correlationId) ?? cause,
    causationId: cause,
    ...(typeof schemaVersion === 'number' ? { schemaVersion } : {}),
    ...(typeof previousHash === 'string' ? { previousHash } : {}),
  };
}

/** Cheap enough for every read. */
export function isCurrentMetadata(metadata: Partial<EventMetadata>): boolean {
  return (
    typeof metadata.actor?.kind === 'string' &&
    typeof metadata.correlationId === 'string' &&
    typeof metadata.causationId === 'string'
  );
}

const KINDS: Readonly<Record<string, Actor['kind']>> = { user: 'user', worker: 'worker' };

function currentActor(who: unknown): Actor {
  const known = actor.safeParse(who);
  if (known.success) return known.data;
  const name = filled(who) ?? 'unknown';
  const colon = name.indexOf(':');
  const kind = KINDS[name.slice(0, colon)];
  // `system`, `operator`, and anything else without a kind.
  return kind && colon < name.length - 1 ? { kind, id: name.slice(colon + 1) } : { kind: 'system', id: name };
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const filled = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
