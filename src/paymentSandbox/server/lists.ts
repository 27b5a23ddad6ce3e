/** Pages of lists: newest first, starting at an object, forward or backward. */
import type Stripe from 'stripe';
import type { SandboxContext } from '../books/context.ts';
import type { Kind, Kinds } from '../books/kinds.ts';
import type { Found } from '../books/store.ts';
import { invalid, missing } from './apiError.ts';

export type Paging = {
  readonly limit?: number | undefined;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
};

/** A complete list of the given items. */
export function wholeList<T>(data: readonly T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data: [...data], has_more: false, url };
}

/** @throws ApiError when the object to continue from does not exist */
export function pageOf<K extends Kind>(
  context: SandboxContext,
  kind: K,
  url: string,
  { limit = 10, starting_after, ending_before }: Paging,
  { found = {}, fits = () => true }: { readonly found?: Found; readonly fits?: (object: Kinds[K]) => boolean } = {},
): Stripe.ApiList<Kinds[K]> {
  if (starting_after !== undefined && ending_before !== undefined)
    throw invalid('You may only specify one of these parameters: starting_after, ending_before.');
  const from = starting_after ?? ending_before;
  if (from !== undefined && !context.store.get(kind, from))
    throw missing(kind, from, starting_after === undefined ? 'ending_before' : 'starting_after');
  const data: Kinds[K][] = [];
  let has_more = false;
  let begun = from === undefined;
  for (const object of context.store.each(kind, { ...found, oldestFirst: ending_before !== undefined })) {
    if (begun && fits(object)) {
      if (data.length === limit) {
        has_more = true;
        break;
      }
      data.push(object);
    }
    if ('id' in object && object.id === from) begun = true;
  }
  return { object: 'list', data: ending_before === undefined ? data : data.reverse(), has_more, url };
}

type Times =
  | number
  | {
      readonly gt?: number | undefined;
      readonly gte?: number | undefined;
      readonly lt?: number | undefined;
      readonly lte?: number | undefined;
    }
  | undefined;

/** Whether a time equals the requested one, or is in the requested range. */
export function isAt(created: number, times: Times): boolean {
  if (times === undefined) return true;
  if (typeof times === 'number') return created === times;
  const { gt = -1, gte = 0, lt = Number.MAX_SAFE_INTEGER, lte = Number.MAX_SAFE_INTEGER } = times;
  return created > gt && created >= gte && created < lt && created <= lte;
}
