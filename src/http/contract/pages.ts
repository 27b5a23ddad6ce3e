/** The pages an audit requested, one page of the list at a time. */
import * as z from 'zod';
import { INDEXABILITIES, PAGE_ROLES } from '../../model/pages.ts';
import { Cursor, columnsOf, PageLimit } from './paging.ts';

/** `content`: what the score counts. `high`: findings of high impact. `problems`: no response, or an error. `closed`: search engines may not show it. */
export const PAGE_FILTERS = ['all', 'content', 'findings', 'high', 'problems', 'closed'] as const;
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
  // From here on null in audits of earlier versions.
  role: z.enum(PAGE_ROLES).nullable(),
  indexability: z.enum(INDEXABILITIES).nullable(),
  template: z.string().nullable(),
  inlinks: Total.nullable(),
  outlinks: Total.nullable(),
  externalLinks: Total.nullable(),
  pageRank: Total.nullable(),
  descriptionLength: Total.nullable(),
  h1s: Total.nullable(),
  lang: z.string().nullable(),
  imagesWithoutAlt: Total.nullable(),
  dataTypes: z.array(z.string()).nullable(),
});
export type PageView = z.infer<typeof PageView>;

export const PAGE_COLUMNS = Object.keys(PageView.shape) as readonly (keyof PageView)[];

export type PageSort = keyof PageView;

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

/**
 * Pages that are hard to reach, or lead nowhere. `orphan`: no other page links to it. `dead_end`: no link on it leads to
 * another address of the site. `deep`: more than three clicks from the start page.
 */
export const PAGE_PLACES = ['orphan', 'dead_end', 'deep'] as const;
export type PagePlace = (typeof PAGE_PLACES)[number];

/** Filters that count the pages of each of their values. */
const Facets = {
  /** `none`: no answer. */
  status: z.enum(STATUS_CLASSES).optional(),
  indexability: z.enum(INDEXABILITIES).optional(),
  role: z.enum(PAGE_ROLES).optional(),
  /** Clicks from the start page; `none`: no link leads there. */
  depth: z
    .string()
    .regex(/^(?:\d{1,4}|none)$/, 'It is a number or `none`')
    .optional(),
  place: z.enum(PAGE_PLACES).optional(),
  type: z.enum(['html', 'other']).optional(),
  missing: z.enum(['title', 'description', 'h1']).optional(),
  template: z.string().max(1000).optional(),
  /** Whether a finding on it is part of an action item. */
  task: z.enum(['yes', 'no']).optional(),
};
export type PageFacet = keyof typeof Facets;
export const PAGE_FACETS = Object.keys(Facets) as readonly PageFacet[];

export const PageIssue = z.object({ checkId: z.string(), findings: Total });
export type PageIssue = z.infer<typeof PageIssue>;

export const PagesQuery = z.object({
  /** `yes`: with the issues of each listed page. */
  issues: z.literal('yes').optional(),
  show: z.enum(PAGE_FILTERS).optional(),
  ...Facets,
  /** A path that begins and ends with a slash: the pages below it, and its index page. */
  folder: z
    .string()
    .max(4096)
    .regex(/^\/(?:.*\/)?$/, 'It begins and ends with `/`')
    .optional(),
  /** In address, title, or description. */
  search: z.string().max(200).optional(),
  /** `findings`: pages with high-impact findings first. */
  sort: z.enum(PAGE_COLUMNS as readonly [PageSort, ...PageSort[]]).optional(),
  /** Default: `desc` for `findings`, otherwise `asc`. Unknown values always come last. */
  order: z.enum(['asc', 'desc']).optional(),
  columns: columnsOf(PAGE_COLUMNS),
  limit: PageLimit,
  cursor: Cursor,
});
export type PagesQuery = z.infer<typeof PagesQuery>;

/** Of the file: all pages that the list has, with the columns in the order in which they are named. */
export const PagesFileQuery = PagesQuery.omit({ issues: true, limit: true, cursor: true });
export type PagesFileQuery = z.infer<typeof PagesFileQuery>;

/** CSV: a line with the columns' names, and one for each page. */
export const PagesFile = z.string();

/** Values with the number of pages that have them, given the other filters; most pages first. */
const FacetCounts = z.array(z.object({ value: z.string(), pages: Total }));

export const PagesResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** Only the requested columns; all by default. */
    pages: z.array(PageView.partial()),
    /** Of each of them, in the same order: its issues. Null unless requested. */
    issues: z.array(z.array(PageIssue)).nullable(),
    total: Total,
    /** Number of results for each filter. */
    counts: z.object({ all: Total, content: Total, findings: Total, high: Total, problems: Total, closed: Total }),
    facets: z.object({
      status: FacetCounts,
      indexability: FacetCounts,
      role: FacetCounts,
      depth: FacetCounts,
      place: FacetCounts,
      type: FacetCounts,
      missing: FacetCounts,
      template: FacetCounts,
      task: FacetCounts,
    }),
  }),
  cursor: z.string().nullable(),
});
export type PagesResponse = z.infer<typeof PagesResponse>;
