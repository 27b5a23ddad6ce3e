/** How much of a site an audit keeps at once. All limits are estimates of memory, in bytes. Pure. */

/** Of an object or a list, of one of its entries, and of a text without its characters. */
const HEAD = 24;
const SLOT = 8;
const TEXT = 16;

/** Characters beyond Latin-1 make a text take two bytes for each. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1 begins with the control characters.
const WIDE = /[^\u0000-\u00ff]/;

/** About what plain JSON takes in memory. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return TEXT + value.length * (WIDE.test(value) ? 2 : 1);
  if (typeof value !== 'object' || value === null) return 0;
  let weight = HEAD;
  if (Array.isArray(value)) for (const item of value) weight += SLOT + weightOf(item);
  else for (const key of Object.keys(value)) weight += SLOT + weightOf((value as Record<string, unknown>)[key]);
  return weight;
}

/**
 * Of what is read from one page. The heaviest of 900 pages of large documentation takes 700,000, a page with 2,000
 * links and 1,000 images of usual length about as much.
 */
export const PAGE_BYTES = 1_000_000;

/** Of all that an audit keeps of a site, unless whoever runs it says otherwise: 2,000 pages of large documentation. */
export const SITE_BYTES = 200_000_000;

/** The shares of that which sitemaps, known addresses, and pages may use; the rest is for the answers of links. */
export const SHARES = { sitemaps: 0.2, addresses: 0.2, pages: 0.85 } as const;

/** Of all findings, about 20,000 of usual length, unless the site has less memory: their file is stored as a whole. */
const FINDINGS_BYTES = 14_000_000;
const FINDINGS_SHARE = 0.25;

export function findingsBytes(siteBytes: number = SITE_BYTES): number {
  return Math.min(FINDINGS_BYTES, siteBytes * FINDINGS_SHARE);
}

/** Of each process that parses pages, MB, so that a page takes no more. */
export const PARSER_MEMORY_MB = 384;
