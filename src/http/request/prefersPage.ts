/**
 * Whether a client would rather have a page than JSON, by its `Accept` header (RFC 9110, section 12.5.1). Written here
 * because the negotiator that Koa uses takes time that grows with the square of a header with quotes.
 */
import type { Context } from 'koa';

/**
 * What is accepted of a type: by the most exact range; of equally exact ones by that of the higher quality, then by the
 * last.
 */
type Fit = { readonly exactness: number; readonly quality: number; readonly at: number };

const NONE: Fit = { exactness: -1, quality: 0, at: 0 };

/** How exactly a range names each. */
const PAGE: ReadonlyMap<string, number> = new Map([
  ['*/*', 0],
  ['text/*', 1],
  ['text/html', 2],
]);
const JSON_TYPE: ReadonlyMap<string, number> = new Map([
  ['*/*', 0],
  ['application/*', 1],
  ['application/json', 2],
]);

/** `ifEqual`: for a client to which both are the same, such as one that accepts anything. */
export function prefersPage(ctx: Context, ifEqual = true): boolean {
  let [page, json] = [NONE, NONE];
  for (const [at, text] of (ctx.get('Accept') || '*/*').split(',').entries()) {
    const semicolon = text.indexOf(';');
    const name = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase();
    const parameters = semicolon === -1 ? '' : text.slice(semicolon + 1);
    page = better(page, PAGE.get(name), parameters, at);
    json = better(json, JSON_TYPE.get(name), parameters, at);
  }
  if (page.quality !== json.quality) return page.quality > json.quality;
  if (page.quality === 0) return false;
  if (page.exactness !== json.exactness) return page.exactness > json.exactness;
  return page.at === json.at ? ifEqual : page.at < json.at;
}

function better(best: Fit, exactness: number | undefined, parameters: string, at: number): Fit {
  if (exactness === undefined || exactness < best.exactness) return best;
  const quality = qualityOf(parameters);
  return exactness > best.exactness || quality >= best.quality ? { exactness, quality, at } : best;
}

function qualityOf(parameters: string): number {
  const quality = parameters
    .split(';')
    .map((parameter) => parameter.trim().toLowerCase())
    .find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
}
