/**
 * The location and cause of each event: going up (`get` its `correlationId`) and down (find those that name it) are index look-ups. Everything else is
 * only in the log, so that nothing erased there remains here, and documents are as small as possible.
 */
import { EVENT_TYPES, type ProductEvent } from '../../domain/eventTypes.ts';
import { type EVENTS_WITHOUT_CAUSES, hasCauses } from '../../model/history/eventCauses.ts';
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { Projection } from '../projection.ts';

/** Its id is the event's. */
export type CauseDocument = {
  readonly stream: string;
  readonly revision: number;
  /** The event being processed; otherwise a request, or the command of a timer or an operator. */
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

/** Events directly caused by any of these, in log order. */
export function listFollowing(
  readModels: Pick<ReadModels, 'find'>,
  ids: readonly string[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CauseDocument>> {
  const [only, ...others] = ids;
  const correlationId = only !== undefined && others.length === 0 ? only : { in: ids };
  return readModels.find('causes', { where: { correlationId }, sort: [['position', 'asc']], limit, ...(cursor === undefined ? {} : { cursor }) });
}
