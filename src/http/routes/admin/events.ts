/** Anonymized events of the whole log as NDJSON, also for the keys that admins create for analysts. */
import { recordEventExport } from '../../../commands/eventExport/recordEventExport.ts';
import { requireStillAdmin } from '../../auth/stillOpen.ts';
import { EventsLine, EventsQuery, EXPORT_ID_HEADER } from '../../contract/admin/events.ts';
import { exportLines } from '../../eventExports/exportLines.ts';
import { requestedExport } from '../../eventExports/requestedExport.ts';
import { HttpError } from '../../request/errors.ts';
import { EVENT_EXPORT_LIMITS } from '../../request/eventExportLimits.ts';
import { Download } from '../../request/reply.ts';
import { takeSlot, untilRead } from '../../request/slots.ts';
import { route } from '../../routing/route.ts';

const FILE = 'events.ndjson';

export const getEvents = route({
  method: 'GET',
  path: '/admin/events',
  access: 'admin',
  openToAnalysts: 'events:read',
  summary:
    'Export anonymized events of the whole log, one per line (NDJSON). The last line is `{"end":…}`: an answer without it is incomplete, and `resume` goes on with it',
  limit: 'eventExport',
  query: EventsQuery,
  response: EventsLine,
  sendsFiles: 'ndjson',
  refusals: ['EVENT_EXPORT_NOT_FOUND', 'EVENT_EXPORTS_RUNNING', 'PSEUDONYMS_UNAVAILABLE', 'BUSY'],
  handler: async (request) => {
    const { deps, caller, query, command, signal, bearer } = request;
    const { store, now, newId, pseudonyms } = deps;
    if (!pseudonyms) throw noPseudonyms();
    const limits = { ...EVENT_EXPORT_LIMITS, ...deps.eventExportLimits };
    const requested = await requestedExport({ store, now, newId, pseudonyms }, caller, query);
    if (request.headOnly) return new Download(FILE, nothing());
    const end = takeSlots(store, caller.sessionId, limits, signal);
    try {
      if (requested.isNew) await recordEventExport(command, requested.made);
    } catch (error) {
      end();
      throw error;
    }
    const mayGoOn = () => requireStillAdmin(deps, caller, bearer);
    const lines = exportLines(requested, { store, pseudonyms, limits, now, signal, mayGoOn });
    return new Download(FILE, untilRead(lines, end), {
      headers: { [EXPORT_ID_HEADER]: requested.made.exportId },
      stalledMs: limits.stalledMs,
    });
  },
});

async function* nothing(): AsyncGenerator<string> {
  // A request with HEAD shows no events, so that no export begins.
}

/** One of the key's, and one of all. @throws HttpError EVENT_EXPORTS_RUNNING, BUSY */
function takeSlots(
  owner: object,
  reader: string,
  { perKey, inAll }: { readonly perKey: number; readonly inAll: number },
  signal: AbortSignal,
): () => void {
  signal.throwIfAborted();
  const end = takeSlot(owner, `events of ${reader}`, perKey, signal);
  if (!end) throw tooManyAtOnce(perKey);
  const endOfAll = takeSlot(owner, 'events', inAll, signal);
  if (!endOfAll) {
    end();
    throw new HttpError('BUSY', 'Many exports of events are under way. Please try again shortly.', {
      headers: { 'Retry-After': '30' },
    });
  }
  return () => {
    end();
    endOfAll();
  };
}

const tooManyAtOnce = (most: number): HttpError =>
  new HttpError(
    'EVENT_EXPORTS_RUNNING',
    `This key has ${most} exports of events under way already. Ask again when one of them is done.`,
    { headers: { 'Retry-After': '10' } },
  );

const noPseudonyms = (): HttpError =>
  new HttpError(
    'PSEUDONYMS_UNAVAILABLE',
    'This installation has no key for pseudonyms, so that events cannot be anonymized. Set PSEUDONYM_SECRET.',
    { headers: { 'Retry-After': '3600' } },
  );
