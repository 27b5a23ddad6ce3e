import type { Actor } from '../../domain/stored/metadata.ts';
import type { Caller } from '../request/caller.ts';

/** The actor recorded for this caller's commands. A null caller is anonymous. */
export function actorOf(caller: Pick<Caller, 'userId' | 'apiKey'> | null): Actor {
  if (!caller) return { kind: 'anonymous', id: 'anonymous' };
  const { userId, apiKey } = caller;
  return apiKey ? { kind: 'apiKey', id: apiKey.keyId, onBehalfOf: userId } : { kind: 'user', id: userId };
}
