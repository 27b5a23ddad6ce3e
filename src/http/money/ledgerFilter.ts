/** What a request for the ledger is about: its filters checked, and its search resolved to exact values. */
import { submitterInLog } from '../../history/findStreams.ts';
import { beginningOfEmail } from '../../model/emailAddress.ts';
import { LEDGER_FILTERS, LEDGER_USERS_MAX } from '../../model/ledger.ts';
import { getAccount, listAccountsByEmail } from '../../projections/accounts.ts';
import { billOfProviderId, getBilling } from '../../projections/billing.ts';
import {
  LEDGER_SEARCHED,
  type LedgerFilter,
  type LedgerMatch,
  ledgerMatches,
  listLedgerCurrencies,
} from '../../projections/ledger.ts';
import type { LedgerFilters, LedgerResponse } from '../contract/admin/ledger.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError, invalidInput } from '../request/errors.ts';

type Deps = Pick<HttpDeps, 'readModels' | 'store' | 'now'>;

export type RequestedLedger = {
  readonly filter: LedgerFilter;
  readonly searched: LedgerResponse['searched'];
  /** The users whose bills were searched for. */
  readonly userIds: readonly string[];
};

/** @throws HttpError INVALID_INPUT, NOT_FOUND */
export async function requestedLedger(
  deps: Deps,
  { kind, search = '', currency, from, to }: LedgerFilters,
): Promise<RequestedLedger> {
  if (from !== undefined && from > deps.now().slice(0, 10))
    throw invalid('from', 'That day is yet to come, so there are no rows from then on');
  const [known, found] = await Promise.all([
    currency === undefined ? null : knownCurrency(deps, currency.toLowerCase()),
    search === '' ? null : searchedFor(deps, search),
  ]);
  return {
    filter: {
      kinds: kind === undefined ? null : LEDGER_FILTERS[kind],
      currency: known,
      matches: found?.matches ?? null,
      from: from ?? null,
      // After every time of that day.
      before: to === undefined ? null : `${to}\uffff`,
    },
    searched: found?.as ?? null,
    userIds: (found?.matches ?? []).flatMap(({ field, value }) => (field === 'userId' ? [value] : [])),
  };
}

/** @throws HttpError INVALID_INPUT */
async function knownCurrency({ readModels }: Deps, currency: string): Promise<string> {
  const currencies = await listLedgerCurrencies(readModels);
  if (currencies.includes(currency)) return currency;
  const there = currencies.length === 0 ? 'No row has money yet' : `There are: ${currencies.join(', ')}`;
  throw invalid('currency', `No row is in that currency. ${there}`);
}

type Found = { readonly as: NonNullable<LedgerResponse['searched']>; readonly matches: readonly LedgerMatch[] };

const ofUser = (value: string): LedgerMatch => ({ field: 'userId', value });

/** @throws HttpError INVALID_INPUT, NOT_FOUND */
function searchedFor(deps: Deps, search: string): Promise<Found> {
  return search.includes('@') ? byEmail(deps, search) : byValue(deps, search);
}

/** Sums and files hold all rows of a search, so it must not leave accounts out. */
async function byEmail({ readModels }: Deps, search: string): Promise<Found> {
  const beginning = beginningOfEmail(search);
  const accounts = await listAccountsByEmail(readModels, { beginning, limit: LEDGER_USERS_MAX + 1 });
  if (accounts.length > LEDGER_USERS_MAX)
    throw invalid('search', `More than ${LEDGER_USERS_MAX} accounts begin with that. Enter more of the email`);
  if (accounts.length === 0)
    throw new HttpError(
      'NOT_FOUND',
      'No account’s email begins with that. The email of a deleted account is not kept: search for an invoice number, a payment, or the user’s id.',
    );
  return { as: 'email', matches: accounts.map(({ id }) => ofUser(id)) };
}

async function byValue({ readModels, store }: Deps, search: string): Promise<Found> {
  const candidates = LEDGER_SEARCHED.map((field) => ({
    field,
    value: field === 'code' ? search.toUpperCase() : search,
  }));
  const matches = await ledgerMatches(readModels, candidates);
  if (matches.length > 0) return { as: matches.every(({ field }) => field === 'userId') ? 'user' : 'value', matches };
  const customer = await billOfProviderId(readModels, search);
  if (customer !== null) return { as: 'customer', matches: [ofUser(customer)] };
  if ((await getAccount(readModels, search)) ?? (await getBilling(readModels, search)))
    return { as: 'user', matches: [ofUser(search)] };
  const submitter = ID.test(search) ? await submitterInLog(store, search) : null;
  if (submitter !== null) return { as: 'payer', matches: [ofUser(submitter)] };
  throw new HttpError('NOT_FOUND', 'No row, user, customer, or job has exactly that. Check for missing characters.');
}

/** What may be in the name of a stream. */
const ID = /^[\w.~-]+$/;

const invalid = (path: keyof LedgerFilters, message: string): HttpError => invalidInput([{ path, message }]);
