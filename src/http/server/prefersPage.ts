/**
 * Whether a client would rather have a page than JSON, by its `Accept` header (RFC 9110, section 12.5.1). Written here because the negotiator that Koa uses takes
 * time that grows with the square of a header with quotes.
 */
import type { Context } from 'koa';

/** How well a range of the header fits a type: how exactly, and with which quality. */
type Fit = { readonly exactness: number; readonly quality: number; readonly at: number };

/** `ifEqual`: for a client to which both are the same, such as one that accepts anything. */
export function prefersPage(ctx: Context, ifEqual = true): boolean {
  const accept = ctx.get('Accept') || '*/*';
  const ranges = accept.split(',').map((range, at) => ({ ...rangeOf(range), at }));
  const [page, json] = [bestFit(ranges, 'text', 'html'), bestFit(ranges, 'application', 'json')];
  if (page.quality !== json.quality) return page.quality > json.quality;
  if (page.quality === 0) return false;
  if (page.exactness !== json.exactness) return page.exactness > json.exactness;
  return page.at === json.at ? ifEqual : page.at < json.at;
}

type Range = { readonly type: string; readonly subtype: string; readonly quality: number };

function rangeOf(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [type = '', subtype = ''] = name.split('/', 2);
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, subtype, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}

const NONE: Fit = { exactness: -1, quality: 0, at: 0 };

/** The most exact range counts; of equally exact ones that of the higher quality, then the last. */
function bestFit(ranges: readonly (Range & { readonly at: number })[], type: string, subtype: string): Fit {
  let best = NONE;
  for (const { at, quality, ...range } of ranges) {
    if ((range.type !== type && range.type !== '*') || (range.subtype !== subtype && range.subtype !== '*')) continue;
    const exactness = Number(range.type !== '*') + Number(range.subtype !== '*');
    const isBetter = exactness === best.exactness ? quality >= best.quality : exactness > best.exactness;
    if (isBetter) best = { exactness, quality, at };
  }
  return best;
}
