/** The links of an audited site, one page of the list at a time. */
import * as z from 'zod';
import { LINK_POSITIONS } from '../../model/findings.ts';
import { STATUS_CLASSES } from './pages.ts';
import { Cursor, PageLimit } from './paging.ts';

const Total = z.number().int();

/**
 * `earlier_version`: audits did not keep them then. `removed`: newer audits of the site have theirs. `too_large`: of a
 * very large audit, the first ones are kept. `preview`: none of its findings is open.
 */
export const NO_RECORD = ['earlier_version', 'removed', 'too_large', 'preview'] as const;
export type NoRecord = (typeof NO_RECORD)[number];

export const LinkView = z.object({
  /** Address of the page on which it stands. */
  from: z.string(),
  /** As linked, before redirects. */
  to: z.string(),
  /** Address of the audited page that it leads to, after redirects; null if it is none. */
  page: z.string().nullable(),
  /** Of the address as linked; null if it was not asked for, or did not answer. */
  status: Total.nullable(),
  anchor: z.string(),
  position: z.enum(LINK_POSITIONS),
  /** To another site. */
  external: z.boolean(),
  /** The same anchor and target are on most pages. */
  template: z.boolean(),
  nofollow: z.boolean(),
  sponsored: z.boolean(),
  ugc: z.boolean(),
});
export type LinkView = z.infer<typeof LinkView>;

export const LINK_SORTS = ['from', 'to', 'anchor', 'position', 'status'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

const YesNo = z.enum(['yes', 'no']);

const Facets = {
  position: z.enum(LINK_POSITIONS).optional(),
  /** `none`: not asked for, or no answer. */
  status: z.enum(STATUS_CLASSES).optional(),
  external: YesNo.optional(),
  nofollow: YesNo.optional(),
};
export type LinkFacet = keyof typeof Facets;
export const LINK_FACETS = Object.keys(Facets) as readonly LinkFacet[];

export const LinksQuery = z.object({
  /** Address of a page: only links on it. */
  from: z.string().max(4096).optional(),
  /** An address as linked, or that of the page where links lead: only these links. */
  to: z.string().max(4096).optional(),
  ...Facets,
  /** In either address, or in the anchor. */
  search: z.string().max(200).optional(),
  /** Default: in the order of pages and of their documents. Links without a value come last. */
  sort: z.enum(LINK_SORTS).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  limit: PageLimit,
  cursor: Cursor,
});
export type LinksQuery = z.infer<typeof LinksQuery>;

const FacetCounts = z.array(z.object({ value: z.string(), links: Total }));

export const LinksResponse = z.object({
  success: z.literal(true),
  data: z.object({
    links: z.array(LinkView),
    total: Total,
    facets: z.object({
      position: FacetCounts,
      status: FacetCounts,
      external: FacetCounts,
      nofollow: FacetCounts,
    }),
    /** Links that are kept, and all that were found: of a very large site, only the first ones are kept. */
    kept: Total,
    found: Total,
    /** True in a preview: only links on the pages of its findings. */
    preview: z.boolean(),
    /** Why there are none to list; null if they are kept. */
    noRecord: z.enum(NO_RECORD).nullable(),
  }),
  cursor: z.string().nullable(),
});
export type LinksResponse = z.infer<typeof LinksResponse>;
