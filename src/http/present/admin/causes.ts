/** The chain of causes around an event, as an admin reads it. */
import type { Actor } from '../../../domain/stored/metadata.ts';
import type { RecordedEvent } from '../../../eventStore/eventStore.ts';
import type { Causes } from '../../../history/causes.ts';
import { eventWords } from '../../../model/eventWords.ts';
import type { CauseNode, CausesView } from '../../contract/admin/causes.ts';

/** `emailOf`: of users by their ids, as far as they are known. */
export function presentCauses(id: string, causes: Causes, emailOf: ReadonlyMap<string, string>): CausesView {
  const { beginning, ancestors, event, following, cut } = causes;
  const all = [...ancestors, ...(event ? [event] : []), ...following];
  const byId = new Map(all.map((each) => [each.id, each]));
  const node = (each: RecordedEvent): CauseNode => presentNode(each, byId.get(each.metadata.correlationId), emailOf);
  return { id, beginning, ancestors: ancestors.map(node), event: event && node(event), following: following.map(node), cut };
}

function presentNode(event: RecordedEvent, cause: RecordedEvent | undefined, emailOf: ReadonlyMap<string, string>): CauseNode {
  const { id, type, stream, revision, metadata } = event;
  const { actor, at, correlationId, causationId } = metadata;
  const after = cause && cause.id !== id ? Date.parse(at) - Date.parse(cause.metadata.at) : null;
  return {
    ...{ id, type, title: eventWords(type), stream, revision: Number(revision), at },
    by: actorWords(actor, emailOf),
    actor: { kind: actor.kind, id: actor.id, on_behalf_of: actor.onBehalfOf ?? null },
    ...{ cause: correlationId, command: causationId },
    // Clocks of two processes may differ.
    took_ms: after === null || Number.isNaN(after) ? null : Math.max(0, after),
  };
}

/** Ids of the users that these actors name. */
export function usersNamed(actors: readonly Actor[]): readonly string[] {
  const ids = actors.flatMap(({ kind, id, onBehalfOf }) => [
    ...(kind === 'user' || kind === 'admin' ? [id] : []),
    ...(onBehalfOf === undefined ? [] : [onBehalfOf]),
  ]);
  return [...new Set(ids)];
}

function actorWords({ kind, id, onBehalfOf }: Actor, emailOf: ReadonlyMap<string, string>): string {
  const named = (userId: string): string => emailOf.get(userId) ?? 'a deleted account';
  switch (kind) {
    case 'user':
      return emailOf.get(id) ?? 'A deleted account';
    case 'apiKey':
      return onBehalfOf === undefined ? 'An API key' : `An API key of ${named(onBehalfOf)}`;
    case 'admin':
      return onBehalfOf === undefined ? `${named(id)}, as an admin` : `${named(id)}, as an admin for ${named(onBehalfOf)}`;
    case 'worker':
      return `The worker ${id}`;
    case 'anonymous':
      return 'Somebody who was not signed in';
    default:
      return id === 'operator' ? 'An operator' : `The system (${id})`;
  }
}
