/** Who did it, when, and what led to it: what stands beside every event's data. Holds no personal data: it outlives a deletion. */
import { z } from 'zod';
import { at } from './fields.ts';

const text = z.string().min(1);
/** SHA-256, base64url. */
const eventHash = z.string().regex(/^[\w-]{43}$/);

/**
 * `worker` and `system` are named for their duty, `anonymous` for the way in. An API key and an admin act for somebody (`onBehalfOf`: a user's id).
 */
const actor = z.strictObject({
  kind: z.enum(['user', 'apiKey', 'admin', 'worker', 'system', 'anonymous']),
  id: text,
  onBehalfOf: text.exactOptional(),
});

export const EVENT_METADATA = z.strictObject({
  actor,
  at,
  /** The request, or the event that a worker or a follower took up; of what an operator or the clock began, the command. */
  correlationId: text,
  /** The command. */
  causationId: text,
  /** Of the event's data; absent: 1. */
  schemaVersion: z.int().positive().exactOptional(),
  /** Hash of the event before it in its stream (`src/eventStore/chain/`); a stream's first event has none, nor have events from before there was a chain. */
  previousHash: eventHash.exactOptional(),
  /** Of a fact with which streams are deleted for good: the hash of the last event of each, by its name. */
  erased: z.record(text, eventHash).exactOptional(),
});

export type Actor = Readonly<z.infer<typeof actor>>;
export type EventMetadata = Readonly<z.infer<typeof EVENT_METADATA>>;

/** `user:{id}`: how an actor is named in the data of an event, and in texts. */
export const actorName = ({ kind, id, onBehalfOf }: Actor): string => (onBehalfOf === undefined ? `${kind}:${id}` : `user:${onBehalfOf}`);

/** The id of the user who did it or for whom it was done. Null: nobody's. */
export const userOf = ({ kind, id, onBehalfOf }: Actor): string | null => onBehalfOf ?? (kind === 'user' ? id : null);

/** In the form of today. Before, an actor was a text, and not every event said what led to it. */
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
  return typeof metadata.actor === 'object' && typeof metadata.correlationId === 'string' && typeof metadata.causationId === 'string';
}

const KINDS: Readonly<Record<string, Actor['kind']>> = { user: 'user', worker: 'worker' };

function currentActor(who: unknown): Actor {
  const known = actor.safeParse(who);
  if (known.success) return known.data;
  const name = filled(who) ?? 'unknown';
  const colon = name.indexOf(':');
  const kind = KINDS[name.slice(0, colon)];
  // `system`, `operator`, and whatever else has no kind.
  return kind && colon < name.length - 1 ? { kind, id: name.slice(colon + 1) } : { kind: 'system', id: name };
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});
const filled = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
