/**
 * The location and cause of each event: going up (`get` its `correlationId`) and down (find those that name it) are
 * index look-ups. Everything else is only in the log, so that nothing erased there remains here, and documents are as
 * small as possible.
 */
import { EVENT_TYPES } from '../../domain/eventTypes.ts';
import { hasCauses } from '../../model/history/eventCauses.ts';
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { each, projection } from '../projection.ts';

/** Its id is the event's. */
export type CauseDocument = {
  readonly stream: string;
  readonly revision: number;
  /** The event being processed; otherwise a request, or the command of a timer or an operator. */
  readonly correlationId: string;
};

export const causes = projection<CauseDocument>()({
  name: 'causes',
  version: 1,
  indexes: [['correlationId', 'position']],
  isBulky: true,
  keys: (event) => [event.id],
  on: each(EVENT_TYPES.filter(hasCauses), (_: CauseDocument | null, { stream, revision, metadata }) => ({
    stream,
    revision: Number(revision),
    correlationId: metadata.correlationId,
  })),
});

export function getCause(
  readModels: Pick<ReadModels, 'get'>,
  eventId: string,
): Promise<StoredDocument<CauseDocument> | null> {
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
  return readModels.find('causes', {
    where: { correlationId },
    sort: [['position', 'asc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}
