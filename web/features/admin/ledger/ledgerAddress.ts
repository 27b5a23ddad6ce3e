/** The filter in the page's address, so that a link shows everyone the same. */
import { LEDGER_FILTER_NAMES } from '../../../../src/model/ledger.ts';

/** Empty: everything. Days are UTC, both inclusive. */
export interface LedgerRequest {
  readonly search: string;
  readonly kind: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

export const EVERYTHING: LedgerRequest = { search: '', kind: '', currency: '', from: '', to: '' };

const NAMES = ['search', 'kind', 'currency', 'from', 'to'] as const;

export function requestIn(address: URLSearchParams): LedgerRequest {
  const given = Object.fromEntries(NAMES.map((name) => [name, address.get(name) ?? ''])) as Record<
    keyof LedgerRequest,
    string
  >;
  return { ...given, kind: LEDGER_FILTER_NAMES.find((name) => name === given.kind) ?? '' };
}

/** What is asked for: empty fields are left out. */
export const queryOf = (asked: LedgerRequest): Record<string, string> =>
  Object.fromEntries(NAMES.flatMap((name) => (asked[name] === '' ? [] : [[name, asked[name]]])));

/** Ends before it begins, so there is nothing to load. */
export const isBackwards = ({ from, to }: LedgerRequest): boolean => from !== '' && to !== '' && to < from;
