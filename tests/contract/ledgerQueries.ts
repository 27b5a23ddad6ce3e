/** The list of the ledger, page by page, against every filter applied to all rows at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEDGER_FILTER_NAMES, LEDGER_FILTERS } from '../../src/model/ledger.ts';
import {
  ALL_ROWS,
  type LedgerDocument,
  type LedgerFilter,
  ledger,
  ledgerMatches,
  ledgerPages,
  listLedger,
  listLedgerCurrencies,
} from '../../src/projections/ledger.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { CURRENCIES, ledgerLog } from '../given/billing/ledgerLog.ts';
import { fold } from '../given/stores/projection.ts';

type Opened = { readonly readModels: ReadModels; readonly dispose: () => Promise<void> };

const LOG = ledgerLog(7, 4, 260);
const between = async (): Promise<void> => undefined;

export function describeLedgerQueries(name: string, open: () => Promise<Opened>): void {
  describe(`the ledger on ${name}`, () => {
    let opened: Opened;
    let readModels: ReadModels;
    const documents = fold(ledger, LOG as never) as Record<string, LedgerDocument>;
    const rows = Object.entries(documents)
      .map(([id, data]) => ({ id, data }))
      .sort((a, b) => (a.data.order < b.data.order ? 1 : -1));

    beforeAll(async () => {
      opened = await open();
      ({ readModels } = opened);
      await readModels.prepare(ledger, 'v1');
      await readModels.serve(ledger.name, 'v1');
      const writes = rows.map(({ id, data }) => ({ id, position: data.order.slice(-20), data }));
      for (let at = 0; at < writes.length; at += 500)
        await readModels.commit([{ model: ledger.name, build: 'v1', writes: writes.slice(at, at + 500) }]);
    });
    afterAll(() => opened?.dispose());

    const expected = ({ kinds, currency, matches, from, before }: LedgerFilter): readonly string[] =>
      rows
        .filter(({ data }) => !kinds || kinds.includes(data.kind))
        .filter(({ data }) => currency === null || data.currency === currency)
        .filter(({ data }) => !matches || matches.some(({ field, value }) => data[field] === value))
        .filter(({ data }) => (from === null || data.order >= from) && (before === null || data.order < before))
        .map(({ id }) => id);

    async function paged(filter: LedgerFilter, limit: number): Promise<readonly string[]> {
      const ids: string[] = [];
      let before = filter.before;
      do {
        const page = await listLedger(readModels, { ...filter, before }, { limit, between });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        if (page.next !== null) expect(page.rows.length).toBe(limit);
        ids.push(...page.rows.map(({ id }) => id));
        before = page.next;
      } while (before !== null);
      return ids;
    }

    const some = (field: keyof LedgerDocument): string =>
      String(rows.find(({ data }) => data[field] !== undefined)?.data[field] ?? expect.fail(`no row has ${field}`));
    const filters: readonly (readonly [string, Partial<LedgerFilter>])[] = [
      ['everything', {}],
      ...LEDGER_FILTER_NAMES.map((kind) => [kind, { kinds: LEDGER_FILTERS[kind] }] as const),
      ...CURRENCIES.map((currency) => [currency, { currency }] as const),
      ['payments in eur', { kinds: LEDGER_FILTERS.payments, currency: 'eur' }],
      ['days', { from: '2026-01-02', before: '2026-01-03\uffff' }],
      ['a user', { matches: [{ field: 'userId', value: 'user-1' }] }],
      ['plans of a user', { matches: [{ field: 'userId', value: 'user-1' }], kinds: LEDGER_FILTERS.plans }],
      [
        'refunds of a user in a foreign currency',
        {
          matches: [{ field: 'userId', value: 'user-1' }],
          kinds: LEDGER_FILTERS.refunds,
          currency: 'eur',
        },
      ],
      [
        'two users',
        {
          matches: [
            { field: 'userId', value: 'user-0' },
            { field: 'userId', value: 'user-3' },
          ],
          kinds: LEDGER_FILTERS.payments,
          from: '2026-01-02',
        },
      ],
      ...(['code', 'invoiceNumber', 'paymentId', 'subscriptionId', 'objectId', 'jobId'] as const).map(
        (field) => [`a ${field}`, { matches: [{ field, value: some(field) }] }] as const,
      ),
      [
        'a row found twice',
        {
          matches: [
            { field: 'paymentId', value: some('paymentId') },
            {
              field: 'userId',
              value: String(rows.find(({ data }) => data.paymentId === some('paymentId'))?.data.userId),
            },
          ],
        },
      ],
      ['a code in eur', { matches: [{ field: 'code', value: 'SAVE20' }], currency: 'eur' }],
    ];

    it.each(filters)('lists %s', async (_name, some) => {
      const filter = { ...ALL_ROWS, ...some };
      const ids = expected(filter);
      expect(await paged(filter, 7)).toEqual(ids);
      expect(await paged(filter, 100)).toEqual(ids);
    });

    it('has rows for every filter of a kind, and of both currencies', () => {
      for (const kind of LEDGER_FILTER_NAMES)
        expect(expected({ ...ALL_ROWS, kinds: LEDGER_FILTERS[kind] }).length, kind).toBeGreaterThan(3);
      for (const currency of CURRENCIES) expect(expected({ ...ALL_ROWS, currency }).length).toBeGreaterThan(20);
    });

    it('reads no more at once than a page of each index', async () => {
      const limits: number[] = [];
      const watched: Pick<ReadModels, 'find'> = {
        find: (model, query) => {
          limits.push(query.limit ?? 0);
          return readModels.find(model, query);
        },
      };
      let seen = 0;
      let turns = 0;
      const counted = async (): Promise<void> => {
        turns += 1;
      };
      for await (const page of ledgerPages(watched, ALL_ROWS, { size: 50, between: counted })) seen += page.length;
      expect(seen).toBe(rows.length);
      expect(new Set(limits)).toEqual(new Set([50]));
      expect(limits.length).toBe(Math.ceil(rows.length / 50));
      expect(turns).toBe(limits.length);
    });

    it('knows its currencies, and in which fields a value is', async () => {
      expect(await listLedgerCurrencies(readModels)).toEqual(CURRENCIES.toSorted());
      const user = { field: 'userId', value: 'user-1' } as const;
      expect(await ledgerMatches(readModels, [user, { field: 'jobId', value: 'user-1' }])).toEqual([user]);
    });
  });
}
