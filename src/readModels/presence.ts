/**
 * The presence port: who was last seen, and when. Stored next to the read models, where all processes see it; if lost,
 * it is recorded again by whoever is still active. Adapters: `sqlitePresence.ts`, `mongoPresence.ts`. Contract suite:
 * `tests/contract/presence.ts`.
 */

/**
 * `user`: someone using the product. `admin`: a session in which an admin did something. `process`: a process of the
 * installation. `audit`: an audit that is reading pages, with how far it is. `feed`: some of the addresses that it read
 * last. `assistant`: an API key with which tools were called, with how often.
 */
export type PresenceKind = 'user' | 'admin' | 'process' | 'audit' | 'feed' | 'assistant';

export type Seen = {
  readonly id: string;
  /** UTC ISO. */
  readonly at: string;
  /** What it reports about itself; may be empty. */
  readonly value: string;
};

export type Presence = {
  /** Replaces the previous record. */
  note(kind: PresenceKind, seen: Seen): Promise<void>;
  get(kind: PresenceKind, id: string): Promise<Seen | null>;
  /** Those seen since then, newest first. */
  list(kind: PresenceKind, query: { readonly since: string; readonly limit: number }): Promise<readonly Seen[]>;
  count(kind: PresenceKind, since: string): Promise<number>;
  remove(kind: PresenceKind, id: string): Promise<void>;
  /** Removes those not seen since then. */
  forget(kind: PresenceKind, before: string): Promise<void>;
};
