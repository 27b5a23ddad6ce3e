/**
 * Where each event stands, and what it was done in answer to: the way up (`get` its `correlationId`) and the way down (find those that name it) are
 * look-ups in an index. When, by whom and what, only the log says: what was erased there is told by nothing here, and a document is as small as it can be.
 */
import { EVENT_TYPES, type ProductEvent } from '../../domain/eventTypes.ts';
import { type EVENTS_WITHOUT_CAUSES, hasCauses } from '../../model/history/eventCauses.ts';
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

/** Its id is the event's. */
export type CauseDocument = {
  readonly stream: string;
  readonly revision: number;
  /** The event that was taken up; else a request, or the command of a clock or an operator. */
  readonly correlationId: string;
};

type Chained = Exclude<ProductEvent, { readonly type: keyof typeof EVENTS_WITHOUT_CAUSES }>;

const isChained = (type: ProductEvent['type']): type is Chained['type'] => hasCauses(type);

export const causes: Projection<CauseDocument, Chained> = {
  name: 'causes',
  version: 1,
  indexes: [['correlationId', 'position']],
  isBulky: true,
  handles: EVENT_TYPES.filter(isChained),
  keys: (event) => [event.id],
  evolve: (_document, { stream, revision, metadata }) => ({ stream, revision: Number(revision), correlationId: metadata.correlationId }),
};

export function getCause(readModels: Pick<ReadModels, 'get'>, eventId: string): Promise<StoredDocument<CauseDocument> | null> {
  return readModels.get('causes', eventId);
}

/** What was done in answer to any of these, in the order of the log. */
export function listFollowing(
  readModels: Pick<ReadModels, 'find'>,
  ids: readonly string[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CauseDocument>> {
  const [only, ...others] = ids;
  const correlationId = only !== undefined && others.length === 0 ? only : { in: ids };
  return readModels.find('causes', { where: { correlationId }, sort: [['position', 'asc']], limit, ...(cursor === undefined ? {} : { cursor }) });
}
