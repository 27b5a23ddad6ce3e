/** The lines of an export, read page by page as the client takes them. */
import type { EventStore, Position } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { createAnonymiser } from '../../reports/events/anonymise.ts';
import { readRange } from '../../reports/events/eventRange.ts';
import { exportedEvent, exportedRow, ndjsonLine } from '../../reports/events/exportedEvent.ts';
import type { Pseudonyms } from '../../reports/events/pseudonyms.ts';
import type { EndLine } from '../contract/admin/events.ts';
import type { EventExportLimits } from '../request/eventExportLimits.ts';
import type { RequestedExport } from './requestedExport.ts';

export type ExportSources = {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly pseudonyms: Pseudonyms;
  readonly limits: Pick<EventExportLimits, 'page' | 'pageCharacters' | 'chunk' | 'quietMs'>;
  /** UTC ISO. */
  readonly now: () => string;
  readonly signal: AbortSignal;
  /** Called before each page is read. @throws if the client may get no more */
  readonly mayGoOn: () => Promise<void>;
};

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
  for (let isEnd = after >= upTo; !isEnd; ) {
    signal.throwIfAborted();
    await mayGoOn();
    const page = await readRange(store, range, { after, limit: limits.page, characters: limits.pageCharacters });
    let text = '';
    for (const event of page.events) {
      const row = exportedRow(anonymise(exportedEvent(event)));
      text += ndjsonLine(row);
      events += 1;
      if (row.version === 0) unreadable += 1;
      if (pace.isDue()) await pace.pass();
      if (text.length < limits.chunk) continue;
      yield text;
      text = '';
    }
    ({ next: after, isEnd } = page);
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
