/** What an analysis found: its causes, and their findings a page at a time. */
import { z } from 'zod';
import { CATEGORIES, DIFFICULTIES, IMPACTS } from '../../model/findings.ts';
import { Cursor, columnsOf, PageLimit } from './paging.ts';

export const Category = z.enum(CATEGORIES);
export type Category = z.infer<typeof Category>;
export const Impact = z.enum(IMPACTS);
export type Impact = z.infer<typeof Impact>;

export const FINDING_SORTS = ['impact', 'points', 'pages', 'minutes', 'title'] as const;
export const FINDING_COLUMNS = ['id', 'checkId', 'title', 'category', 'impact', 'hint', 'message', 'url', 'place', 'value', 'code'] as const;

const Filter = {
  category: Category.optional(),
  /** Of the cause, which is the worst of its findings; `hint`: what costs no points. */
  impact: z.enum([...IMPACTS, 'hint']).optional(),
  /** An address: only what was found there. */
  page: z.string().max(4096).optional(),
  /** Default `impact`: worst first, within one impact what costs most; hints last. */
  sort: z.enum(FINDING_SORTS).optional(),
};

export const CausesQuery = z.strictObject(Filter);
export type CausesQuery = z.infer<typeof CausesQuery>;

export const FindingsQuery = z.strictObject({
  ...Filter,
  /** Only what this check found. */
  check: z.string().max(200).optional(),
  columns: columnsOf(FINDING_COLUMNS),
  limit: PageLimit,
  cursor: Cursor,
});
export type FindingsQuery = z.infer<typeof FindingsQuery>;

const Total = z.number().int();

/** What each choice of a filter would show, the other filters as they are. Of causes causes are counted, of findings findings. */
export const FilterCounts = z.object({
  impact: z.object({ all: Total, high: Total, medium: Total, low: Total, hint: Total }),
  category: z.object({ all: Total, technical: Total, content: Total, schema: Total, social: Total, tools: Total }),
});
export type FilterCounts = z.infer<typeof FilterCounts>;

/** Findings that are open in a preview, and how many there are; null with full access. */
const Preview = z.object({ shown: Total, total: Total }).nullable();

export const CauseView = z.object({
  checkId: z.string(),
  title: z.string(),
  category: Category,
  /** The worst of its findings. */
  impact: Impact,
  /** Costs no points. */
  hint: z.boolean(),
  /** Concerns the site as a whole, wherever it was seen. */
  wholeSite: z.boolean(),
  /** Points of the score that it costs. */
  points: z.number(),
  findings: Total,
  /** Distinct addresses. */
  pages: Total,
  /** Found, but too many of the same to be listed. */
  omitted: Total,
  /** The first place where it was seen. */
  first: z.object({ url: z.string(), value: z.string() }),
  difficulty: z.enum(DIFFICULTIES),
  /** To fix it. */
  minutes: z.number(),
  timeToResult: z.string(),
  businessValue: z.string(),
  why: z.string(),
  fix: z.string(),
  codeExample: z.string().nullable(),
  source: z.string(),
});
export type CauseView = z.infer<typeof CauseView>;

export const ScoreView = z.object({
  value: z.number().int(),
  deductions: z.array(
    z.object({
      checkId: z.string(),
      title: z.string(),
      category: Category,
      points: z.number(),
      weight: z.number().optional(),
      failed: Total,
      looked: Total,
      /** What `failed` is divided by, where that is more than `looked`. */
      base: Total.optional(),
      wholeSite: z.boolean(),
      /** Among the causes; in a preview not all are. */
      open: z.boolean(),
    }),
  ),
  categories: z.array(z.object({ category: Category, lost: z.number(), cap: z.number() })),
  limits: z.array(z.object({ cap: z.number(), reason: z.string() })),
  /** HTML pages that were audited. */
  pages: Total,
});
export type ScoreView = z.infer<typeof ScoreView>;

export const CausesResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** Null when no page could be audited. */
    score: ScoreView.nullable(),
    /** What was looked at, in a sentence or two. */
    coverage: z.string(),
    causes: z.array(CauseView),
    /** Findings of these causes. */
    findings: Total,
    counts: FilterCounts,
    preview: Preview,
  }),
});
export type CausesResponse = z.infer<typeof CausesResponse>;

export const FindingView = z.object({
  /** The same in every run in which the same check finds the same place of the same page. */
  id: z.string(),
  checkId: z.string(),
  title: z.string(),
  category: Category,
  impact: Impact,
  hint: z.boolean(),
  message: z.string(),
  url: z.string(),
  place: z.string(),
  value: z.string(),
  /** The fix, written with the texts of the site. */
  code: z.string().nullable(),
});
export type FindingView = z.infer<typeof FindingView>;

export const FindingsResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** The columns asked for; all without a choice. */
    findings: z.array(FindingView.partial()),
    total: Total,
    counts: FilterCounts,
    preview: Preview,
  }),
  cursor: z.string().nullable(),
});
export type FindingsResponse = z.infer<typeof FindingsResponse>;
