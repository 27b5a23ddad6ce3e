/** The rows of all bills in one list, with their sums, and as files. */
import { START } from '../../../eventStore/eventStore.ts';
import { createPace } from '../../../eventStore/pacing.ts';
import { listAccountsById } from '../../../projections/accounts.ts';
import {
  type LedgerFilter,
  type LedgerRow,
  ledger,
  ledgerPages,
  listLedger,
  listLedgerCurrencies,
} from '../../../projections/ledger.ts';
import { recordView } from '../../auth/administering.ts';
import { requireStillAdmin } from '../../auth/stillOpen.ts';
import {
  LedgerExportQuery,
  type LedgerFilters,
  LedgerLine,
  LedgerQuery,
  LedgerResponse,
  type LedgerRowView,
  LedgerSumsQuery,
  LedgerSumsResponse,
} from '../../contract/admin/ledger.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { requestedLedger } from '../../money/ledgerFilter.ts';
import { sumLedger } from '../../money/ledgerSums.ts';
import { LEDGER_CSV_HEAD, ledgerCsvLines, presentLedgerRow } from '../../present/admin/ledger.ts';
import { HttpError } from '../../request/errors.ts';
import { type CursorList, readCursor, writeCursor } from '../../request/listCursor.ts';
import { Download } from '../../request/reply.ts';
import { takeSlot, untilRead } from '../../request/slots.ts';
import { route } from '../../routing/route.ts';

const PAGE = 100;

export const getLedger = route({
  method: 'GET',
  path: '/admin/ledger',
  access: 'admin',
  summary:
    'List payments, refunds, disputes, invoices, credits, and plan changes of all users, newest first. A search for a user is recorded as a view of the bill',
  query: LedgerQuery,
  response: LedgerResponse,
  refusals: ['INVALID_CURSOR', 'NOT_FOUND'],
  handler: async (request) => {
    const { deps, query } = request;
    const { readModels } = deps;
    const list = listOf(query);
    const place = await placeOf(deps, readCursor(list, query.cursor));
    const { filter, searched, userIds } = await requestedLedger(deps, query);
    for (const userId of userIds) await recordView(request, { ownerId: userId, thing: 'bill', thingId: userId });
    const { rows, next } = await listLedger(readModels, place === null ? filter : { ...filter, before: place }, {
      limit: query.limit ?? PAGE,
      between: takingTurns(request.signal),
    });
    return {
      success: true as const,
      data: await presentRows(deps, rows),
      cursor: next === null ? null : writeCursor(list, next),
      searched,
    };
  },
});

export const getLedgerSums = route({
  method: 'GET',
  path: '/admin/ledger/sums',
  access: 'admin',
  summary: 'Get the sums of all rows of the ledger that a filter finds, by currency and by kind',
  limit: 'report',
  query: LedgerSumsQuery,
  response: LedgerSumsResponse,
  refusals: ['NOT_FOUND'],
  handler: async ({ deps, query, signal }) => {
    const { filter } = await requestedLedger(deps, query);
    const [sums, currencies] = await Promise.all([
      sumLedger(deps.readModels, filter, takingTurns(signal)),
      listLedgerCurrencies(deps.readModels),
    ]);
    return { success: true as const, data: { ...sums, all_currencies: currencies } };
  },
});

/** Exports under way at once, of one session. */
const EXPORTS = 2;
/** Rows in memory at once. */
const EXPORT_PAGE = 200;
/** A client that takes nothing for so long is cut off, ms. */
const STALLED_MS = 30_000;

export const exportLedger = route({
  method: 'GET',
  path: '/admin/ledger/export',
  access: 'admin',
  summary:
    'Download all rows of the ledger that a filter finds, as NDJSON or CSV. The last line of NDJSON is `{"end":…}`: an answer without it is incomplete',
  limit: 'report',
  query: LedgerExportQuery,
  response: LedgerLine,
  sendsFiles: 'ndjson-or-csv',
  refusals: ['NOT_FOUND', 'BUSY'],
  handler: async (request) => {
    const { deps, caller, query, signal, bearer } = request;
    const { filter, userIds } = await requestedLedger(deps, query);
    const format = query.format ?? 'ndjson';
    const file = `ledger-${deps.now().slice(0, 10)}.${format}`;
    if (request.headOnly) return new Download(file, nothing());
    for (const userId of userIds) await recordView(request, { ownerId: userId, thing: 'bill', thingId: userId });
    const end = takeSlot(deps.readModels, `ledger of ${caller.sessionId}`, EXPORTS, signal);
    if (!end)
      throw new HttpError('BUSY', `${EXPORTS} exports of the ledger are under way already. Wait until one is done.`, {
        headers: { 'Retry-After': '10' },
      });
    const turn = takingTurns(signal);
    const between = async (): Promise<void> => {
      await turn();
      await requireStillAdmin(deps, caller, bearer);
    };
    const pages = exportedPages(deps, filter, between);
    const lines = format === 'csv' ? csvOf(pages) : ndjsonOf(pages);
    return new Download(file, untilRead(lines, end), { stalledMs: STALLED_MS });
  },
});

/** What a cursor belongs to. */
const listOf = ({ kind, search, currency, from, to }: LedgerFilters): CursorList => [
  'ledger',
  { kind, search, currency, from, to },
];

const PLACE = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z (\d{20})$/;

/** A place that this ledger never handed out is of another copy of the log. @throws HttpError INVALID_CURSOR */
async function placeOf({ readModels }: HttpDeps, place: string | undefined): Promise<string | null> {
  if (place === undefined) return null;
  const position = PLACE.exec(place)?.[1];
  if (position === undefined || position > ((await readModels.servedPosition(ledger.name)) ?? START))
    throw new HttpError('INVALID_CURSOR', 'This list does not go on from there. Please load it again.');
  return place;
}

/** Emails are looked up when they are shown, so that none is left of a deleted account. */
async function presentRows({ readModels }: HttpDeps, rows: readonly LedgerRow[]): Promise<LedgerRowView[]> {
  const users = await listAccountsById(readModels, [...new Set(rows.map(({ data }) => data.userId))]);
  const emails = new Map(users.map(({ id, data }) => [id, data.email]));
  return rows.map((row) => presentLedgerRow(row, emails));
}

async function* exportedPages(
  deps: HttpDeps,
  filter: LedgerFilter,
  between: () => Promise<void>,
): AsyncGenerator<readonly LedgerRowView[]> {
  for await (const rows of ledgerPages(deps.readModels, filter, { size: EXPORT_PAGE, between }))
    yield await presentRows(deps, rows);
}

/** Long reads let other requests in, and end with their own. */
function takingTurns(signal: AbortSignal): () => Promise<void> {
  const pace = createPace('request');
  return async () => {
    signal.throwIfAborted();
    await pace.pass();
  };
}

type Pages = AsyncIterable<readonly LedgerRowView[]>;

async function* csvOf(pages: Pages): AsyncGenerator<string> {
  yield LEDGER_CSV_HEAD;
  for await (const rows of pages) if (rows.length > 0) yield ledgerCsvLines(rows);
}

async function* ndjsonOf(pages: Pages): AsyncGenerator<string> {
  let count = 0;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    count += rows.length;
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
  yield `${JSON.stringify({ end: { rows: count } })}\n`;
}

async function* nothing(): AsyncGenerator<string> {
  // A request with HEAD shows no rows.
}
