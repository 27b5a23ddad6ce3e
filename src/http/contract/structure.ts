/** How a site is built: its folders, and the links between its most important pages. */
import * as z from 'zod';
import { NO_RECORD } from './links.ts';
import { PAGE_PLACES, type PagePlace } from './pages.ts';

const Total = z.number().int();

/** What is left of the findings without those of issues that nearly every page has. */
const Apart = z.object({ withFindings: Total, withHighImpact: Total, findings: Total });

export const FolderView = z.object({
  /** Begins and ends with `/`. */
  path: z.string(),
  /** All pages below it, those of its own folders included. */
  pages: Total,
  /** Of these: with findings, and with findings of high impact. */
  withFindings: Total,
  withHighImpact: Total,
  /** Sum of its pages. */
  findings: Total,
  apart: Apart,
  /** The fewest and the most clicks from the start page; null if no link leads to any of them. */
  shallowest: Total.nullable(),
  deepest: Total.nullable(),
  /** Sums of its pages; null in audits of earlier versions. */
  pageRank: Total.nullable(),
  inlinks: Total.nullable(),
});
export type FolderView = z.infer<typeof FolderView>;

export const LinkedPage = z.object({
  url: z.string(),
  /** Place of its folder in the list of folders. */
  folder: Total,
  status: Total.nullable(),
  clicksFromStart: Total.nullable(),
  inlinks: Total,
  outlinks: Total.nullable(),
  pageRank: Total,
  findings: Total,
  highImpact: Total,
  apart: z.object({ findings: Total, highImpact: Total }),
});
export type LinkedPage = z.infer<typeof LinkedPage>;

const PlacedPages = z.object({
  total: Total,
  /** The first ones, as the list of pages has them. */
  pages: z.array(z.object({ url: z.string(), title: z.string() })),
});

export const StructureResponse = z.object({
  success: z.literal(true),
  data: z.object({
    pages: Total,
    /** Each after the folder that it is in. */
    folders: z.array(FolderView),
    /** Small folders that are not listed: their pages count for the folder that they are in. */
    moreFolders: Total,
    /** Issues that nearly every page has, by rank: they tell no part of the site from another. */
    everywhere: z.array(z.object({ checkId: z.string(), title: z.string() })),
    /** The pages with the highest PageRank, that one first. */
    graph: z.object({
      pages: z.array(LinkedPage),
      /** Pages that are left out. */
      morePages: Total,
      /** Links from one page to another, by place in `pages`, each pair of pages once; lists of equal length. */
      edges: z.object({
        from: z.array(Total),
        to: z.array(Total),
        /** How many links there are. */
        links: z.array(Total),
        /** Whether one of them is more than a link that most pages have. */
        own: z.array(z.boolean()),
        /** Whether one of them is without `nofollow`. */
        followed: z.array(z.boolean()),
      }),
      /** Pairs of these pages that are left out. */
      moreEdges: Total,
      /** True in a preview: only links on the pages of its findings. */
      preview: z.boolean(),
      /** Why there are no links; null if they are kept. */
      noRecord: z.enum(NO_RECORD).nullable(),
    }),
    places: z.object(
      Object.fromEntries(PAGE_PLACES.map((place) => [place, PlacedPages])) as Record<PagePlace, typeof PlacedPages>,
    ),
  }),
});
export type StructureResponse = z.infer<typeof StructureResponse>;
export type Structure = StructureResponse['data'];
