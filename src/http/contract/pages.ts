/** The pages an audit requested, one page of the list at a time. */
import * as z from 'zod';
import { Cursor, columnsOf, PageLimit } from './paging.ts';

/** `problems`: no response, or an error. `closed`: search engines may not show it. */
export const PAGE_FILTERS = ['all', 'findings', 'problems', 'closed'] as const;
/** `findings`: pages with high-impact findings first. */
export const PAGE_SORTS = [
  'findings',
  'url',
  'title',
  'status',
  'words',
  'bytes',
  'clicksFromStart',
  'firstByteMs',
] as const;

const Total = z.number().int();

export const PageView = z.object({
  url: z.string(),
  /** Null if there was no response. */
  status: Total.nullable(),
  problem: z.string(),
  finalUrl: z.string(),
  redirects: Total,
  clicksFromStart: Total.nullable(),
  foundBy: z.string(),
  contentType: z.string(),
  /** Null if it is not HTML. */
  indexable: z.boolean().nullable(),
  canonical: z.string(),
  title: z.string(),
  titleLength: Total.nullable(),
  description: z.string(),
  h1: z.string(),
  words: Total.nullable(),
  links: Total.nullable(),
  images: Total.nullable(),
  bytes: z.number(),
  firstByteMs: z.number(),
  findings: Total,
  highImpact: Total,
});
export type PageView = z.infer<typeof PageView>;

export const PAGE_COLUMNS = Object.keys(PageView.shape) as readonly (keyof PageView)[];

export const PagesQuery = z.object({
  show: z.enum(PAGE_FILTERS).optional(),
  sort: z.enum(PAGE_SORTS).optional(),
  /** Default: `desc` for `findings`, otherwise `asc`. Unknown values always come last. */
  order: z.enum(['asc', 'desc']).optional(),
  columns: columnsOf(PAGE_COLUMNS),
  limit: PageLimit,
  cursor: Cursor,
});
export type PagesQuery = z.infer<typeof PagesQuery>;

export const PagesResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** Only the requested columns; all by default. */
    pages: z.array(PageView.partial()),
    total: Total,
    /** Number of results for each filter. */
    counts: z.object({ all: Total, findings: Total, problems: Total, closed: Total }),
  }),
  cursor: z.string().nullable(),
});
export type PagesResponse = z.infer<typeof PagesResponse>;
