/** The lines of an export, read page by page as the client takes them. */
import type { EventStore, Position } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { createAnonymiser } from '../../reports/events/anonymise.ts';
import { readRange } from '../../reports/events/eventRange.ts';
import { exportedEvent, exportedRow, ndjsonLine } from '../../reports/events/exportedEvent.ts';
import type { Pseudonyms } from '../../reports/events/pseudonyms.ts';
import { stateBytes } from '../../reports/state/stateBytes.ts';
import type { EndLine } from '../contract/admin/events.ts';
import type { EventExportLimits } from '../request/eventExportLimits.ts';
import type { RequestedExport } from './requestedExport.ts';

export type ExportSources = {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly pseudonyms: Pseudonyms;
  readonly limits: Pick<EventExportLimits, 'page' | 'pageBytes' | 'chunk' | 'quietMs'>;
  /** UTC ISO. */
  readonly now: () => string;
  readonly signal: AbortSignal;
  /** Called before each page is read. @throws if the client may get no more */
  readonly mayGoOn: () => Promise<void>;
};

/** What the first events are like is not known. */
const FIRST_PAGE = 8;
const GROWTH = 4;

/** How many events to read next, by what the last ones were like. */
function nextSize(
  { size, events, bytes }: { readonly size: number; readonly events: number; readonly bytes: number },
  { page, pageBytes }: Pick<EventExportLimits, 'page' | 'pageBytes'>,
): number {
  const fitting = bytes === 0 ? page : Math.floor((pageBytes * events) / bytes);
  return Math.max(1, Math.min(fitting, size * GROWTH, page));
}

/** Ends with the line that says so. @throws the signal's reason, what `mayGoOn` and the store throw */
export async function* exportLines(
  { made, after: start }: Pick<RequestedExport, 'made' | 'after'>,
  { store, pseudonyms, limits, now, signal, mayGoOn }: ExportSources,
): AsyncGenerator<string> {
  const { exportId, upTo, since = null, before = null, types = null } = made;
  const range = { end: upTo, since, before, types, streams: null };
  const anonymise = createAnonymiser(pseudonyms);
  const pace = createPace('request');
  let [events, unreadable] = [0, 0];
  let sentAt = performance.now();
  let after: Position = start;
  let size = Math.min(FIRST_PAGE, limits.page);
  for (let isEnd = after >= upTo; !isEnd; ) {
    signal.throwIfAborted();
    await mayGoOn();
    const page = await readRange(store, range, { after, limit: size });
    let text = '';
    let bytes = 0;
    for (const event of page.events) {
      const row = exportedRow(anonymise(exportedEvent(event)));
      text += ndjsonLine(row);
      // Of what was read: the line may leave most of it out.
      bytes += stateBytes(event.data);
      events += 1;
      if (row.version === 0) unreadable += 1;
      if (pace.isDue()) await pace.pass();
      if (text.length < limits.chunk) continue;
      yield text;
      text = '';
    }
    ({ next: after, isEnd } = page);
    size = nextSize({ size, events: page.events.length, bytes }, limits);
    if (text === '' && page.events.length === 0 && performance.now() - sentAt >= limits.quietMs)
      text = `${JSON.stringify({ progress: { position: after } })}\n`;
    if (text !== '') yield text;
    if (text !== '' || page.events.length > 0) sentAt = performance.now();
    await pace.pass();
  }
  const next = before !== null && before <= now() ? before : upTo;
  const line: EndLine = { end: { export: exportId, events, unreadable, next, pseudonyms: pseudonyms.fingerprint } };
  yield `${JSON.stringify(line)}\n`;
}
