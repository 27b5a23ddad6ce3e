/**
 * The port of presence: who was there last, and when. Kept beside the read models where all processes see it; what is lost is noted again by whoever is
 * still there. Adapters: `sqlitePresence.ts`, `mongoPresence.ts`. Contract suite: `tests/contract/presence.ts`.
 */

/** `user`: somebody who uses the product. `process`: a process of the installation. */
export type PresenceKind = 'user' | 'process';

export type Seen = {
  readonly id: string;
  /** UTC ISO. */
  readonly at: string;
  /** What it says of itself; may be empty. */
  readonly value: string;
};

export type Presence = {
  /** In place of what was noted of it before. */
  note(kind: PresenceKind, seen: Seen): Promise<void>;
  /** Those seen since then, the newest first. */
  list(kind: PresenceKind, query: { readonly since: string; readonly limit: number }): Promise<readonly Seen[]>;
  count(kind: PresenceKind, since: string): Promise<number>;
  remove(kind: PresenceKind, id: string): Promise<void>;
  /** Removes those not seen since then. */
  forget(kind: PresenceKind, before: string): Promise<void>;
};
