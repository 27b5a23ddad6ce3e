import type { Actor, EventMetadata } from '../../../src/domain/stored/metadata.ts';

/** For an event that a test writes without a command. */
export function metadataAt(at: string, actor: Actor = { kind: 'user', id: 'test' }): EventMetadata {
  return { actor, at, correlationId: 'request of a test', causationId: 'command of a test' };
}
