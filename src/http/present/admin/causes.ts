/** The chain of causes around an event, for admins. */
import type { RecordedEvent } from '../../../eventStore/eventStore.ts';
import type { Causes } from '../../../history/causes.ts';
import { eventWords } from '../../../model/history/eventWords.ts';
import type { CauseNode, CausesView } from '../../contract/admin/causes.ts';
import { type EmailOf, presentWho } from './history.ts';

/** `emailOf`: emails of known users, by user id. */
export function presentCauses(id: string, causes: Causes, emailOf: EmailOf): CausesView {
  const { beginning, ancestors, event, following, cut } = causes;
  const all = [...ancestors, ...(event ? [event] : []), ...following];
  const byId = new Map(all.map((each) => [each.id, each]));
  const node = (each: RecordedEvent): CauseNode => presentNode(each, byId.get(each.metadata.correlationId), emailOf);
  return {
    id,
    beginning,
    ancestors: ancestors.map(node),
    event: event && node(event),
    following: following.map(node),
    cut,
  };
}

function presentNode(event: RecordedEvent, cause: RecordedEvent | undefined, emailOf: EmailOf): CauseNode {
  const { id, type, stream, revision, metadata } = event;
  const { actor, at, correlationId, causationId } = metadata;
  const after = cause && cause.id !== id ? Date.parse(at) - Date.parse(cause.metadata.at) : null;
  return {
    id,
    type,
    title: eventWords(type),
    stream,
    revision: Number(revision),
    at,
    ...presentWho(actor, emailOf),
    cause: correlationId,
    command: causationId,
    // Clamped to 0, since clocks of different processes may differ.
    took_ms: after === null || Number.isNaN(after) ? null : Math.max(0, after),
  };
}
