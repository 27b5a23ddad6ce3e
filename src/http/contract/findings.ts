/** What an audit found: its issues, and their findings one page at a time. */
import * as z from 'zod';
import { ACTION_STATUSES } from '../../model/actions.ts';
import {
  CATEGORIES,
  DIFFICULTIES,
  EDIT_OPERATIONS,
  EDITED,
  GRADES,
  IMPACTS,
  LINK_POSITIONS,
  ROOT_KINDS,
} from '../../model/findings.ts';
import { NotJudged } from './jobs.ts';
import { Cursor, columnsOf, PageLimit } from './paging.ts';

export const Category = z.enum(CATEGORIES);
export type Category = z.infer<typeof Category>;
export const Impact = z.enum(IMPACTS);
export type Impact = z.infer<typeof Impact>;

export const FINDING_SORTS = ['impact', 'points', 'pages', 'minutes', 'title'] as const;
export const FINDING_COLUMNS = [
  'id',
  'checkId',
  'title',
  'category',
  'impact',
  'hint',
  'message',
  'url',
  'place',
  'value',
  'code',
  'edit',
] as const;

const Filter = {
  category: Category.optional(),
  /** Impact of the issue; `hint`: issues that cost no points. */
  impact: z.enum([...IMPACTS, 'hint']).optional(),
  /** A URL: only findings on this page. */
  page: z.string().max(4096).optional(),
  /** The pattern of addresses, such as `/blog/*`: only findings on pages of this template. */
  template: z.string().max(1000).optional(),
  /** Only issues that one edit of this fixes, in part or whole: `link /old`, as the groups by root cause have it. */
  root: z.string().max(300).optional(),
  /** In the titles of an issue and of what is joined to it. */
  search: z.string().max(200).optional(),
  /** Default `impact`: by rank, what to fix first comes first; what is optional last. */
  sort: z.enum(FINDING_SORTS).optional(),
};

export const CausesQuery = z.object(Filter);
export type CausesQuery = z.infer<typeof CausesQuery>;

export const FindingsQuery = z.object({
  ...Filter,
  /** Only findings of this issue, by its `checkId`. */
  cause: z.string().max(200).optional(),
  /** Only findings of this check. */
  check: z.string().max(200).optional(),
  columns: columnsOf(FINDING_COLUMNS),
  limit: PageLimit,
  cursor: Cursor,
});
export type FindingsQuery = z.infer<typeof FindingsQuery>;

const Total = z.number().int();

export const GROUPINGS = ['page', 'template', 'root'] as const;

export const GroupsQuery = z.object({
  /** Default `template`. */
  by: z.enum(GROUPINGS).optional(),
  category: Category.optional(),
  /** Impact of the issue; `hint`: issues that cost no points. */
  impact: z.enum([...IMPACTS, 'hint']).optional(),
  /** In the name of the group. */
  search: z.string().max(200).optional(),
  limit: PageLimit,
  cursor: Cursor,
});
export type GroupsQuery = z.infer<typeof GroupsQuery>;

export const GroupView = z.object({
  /** An address, a pattern of addresses, or what one edit fixes: the value of `page`, `template`, or `root` in lists of issues. */
  value: z.string(),
  issues: Total,
  /** Null by root cause: issues name their roots, not each finding. */
  findings: Total.nullable(),
  pages: Total,
  /** The worst of its issues; `hint` if they cost no points. */
  impact: z.enum([...IMPACTS, 'hint']),
});
export type GroupView = z.infer<typeof GroupView>;

export const GroupsResponse = z.object({
  success: z.literal(true),
  data: z.object({ groups: z.array(GroupView), total: Total }),
  cursor: z.string().nullable(),
});
export type GroupsResponse = z.infer<typeof GroupsResponse>;

/**
 * Number of results for each filter choice, given the other filters: issues in a list of issues, findings in a list of
 * findings.
 */
export const FilterCounts = z.object({
  impact: z.object({ all: Total, high: Total, medium: Total, low: Total, hint: Total }),
  category: z.object({ all: Total, technical: Total, content: Total, schema: Total, social: Total, tools: Total }),
});
export type FilterCounts = z.infer<typeof FilterCounts>;

/** Findings visible in a preview, and the total; null with full access. */
const Preview = z.object({ shown: Total, total: Total }).nullable();

export const CauseView = z.object({
  checkId: z.string(),
  title: z.string(),
  category: Category,
  impact: Impact,
  /** Costs no points. */
  optional: z.boolean(),
  /** The same as `optional`, as earlier versions called it. */
  hint: z.boolean(),
  /** Concerns the whole site, wherever it was found. */
  wholeSite: z.boolean(),
  /** Score points it costs. */
  points: z.number(),
  /** What its own findings are fixed by, that of most pages first; null if the audit did not name them. */
  roots: z
    .array(
      z.object({
        kind: z.enum(ROOT_KINDS),
        name: z.string(),
        position: z.enum(LINK_POSITIONS).exactOptional(),
        pages: Total,
      }),
    )
    .nullable(),
  /** Findings of other checks that are gone once it is fixed, or that one edit fixes with it. */
  joined: z.array(z.object({ checkId: z.string(), title: z.string(), findings: Total })),
  /** Its action item; null if there is none, or none that you may see. */
  task: z.object({ id: z.string(), status: z.enum(ACTION_STATUSES), optional: z.boolean() }).nullable(),
  findings: Total,
  /** Number of distinct pages. */
  pages: Total,
  /** Findings not listed because there are too many of the same kind. */
  omitted: Total,
  /** The first place where it was found. */
  first: z.object({ url: z.string(), value: z.string() }),
  difficulty: z.enum(DIFFICULTIES),
  /** To fix it everywhere. */
  minutes: z.number(),
  timeToResult: z.string(),
  risk: z.string(),
  gain: z.string(),
  steps: z.array(z.string()),
  example: z.object({ before: z.string().nullable(), after: z.string() }).nullable(),
  source: z.string(),
});
export type CauseView = z.infer<typeof CauseView>;

export const ScoreView = z.object({
  /** To the tenth. */
  value: z.number(),
  /** Version of the formula; absent: 1. */
  formula: z.number().int().optional(),
  deductions: z.array(
    z.object({
      checkId: z.string(),
      title: z.string(),
      category: Category,
      points: z.number(),
      weight: z.number().optional(),
      failed: Total,
      looked: Total,
      /** Denominator of `failed`, if larger than `looked`. */
      base: Total.optional(),
      wholeSite: z.boolean(),
      /** It keeps pages from being found. */
      gate: z.literal(true).optional(),
      /** Whether it is among the listed issues; a preview lists only some. */
      open: z.boolean(),
    }),
  ),
  /** `cap`: of formula 1. */
  categories: z.array(z.object({ category: Category, lost: z.number(), cap: z.number().optional() })),
  limits: z.array(z.object({ cap: z.number(), reason: z.string() })),
  /** What is not search, graded by itself: of the checks that applied, how many found something. */
  foundations: z.object({ grade: z.enum(GRADES), looked: Total, failed: Total }).nullish(),
  /** HTML pages that were audited. */
  pages: Total,
});
export type ScoreView = z.infer<typeof ScoreView>;

export const CausesResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** Null if the site was not judged. */
    score: ScoreView.nullable(),
    notJudged: NotJudged.nullable(),
    /** What was audited, in a sentence or two. */
    coverage: z.string(),
    causes: z.array(CauseView),
    /** Findings of these issues. */
    findings: Total,
    counts: FilterCounts,
    preview: Preview,
  }),
});
export type CausesResponse = z.infer<typeof CausesResponse>;

export const FindingView = z.object({
  /** The same in every audit in which this check finds the same place of the same page. */
  id: z.string(),
  checkId: z.string(),
  title: z.string(),
  category: Category,
  impact: Impact,
  optional: z.boolean(),
  /** The same as `optional`, as earlier versions called it. */
  hint: z.boolean(),
  message: z.string(),
  url: z.string(),
  place: z.string(),
  value: z.string(),
  /** The fix, using the site's own texts. */
  code: z.string().nullable(),
  /** How the code is applied; null without code, and in audits of earlier versions. */
  edit: z
    .object({
      edits: z.enum(EDITED),
      operation: z.enum(EDIT_OPERATIONS),
      at: z.string(),
      on: z.string().exactOptional(),
    })
    .nullable(),
});
export type FindingView = z.infer<typeof FindingView>;

export const FindingsResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** Only the requested columns; all by default. */
    findings: z.array(FindingView.partial()),
    total: Total,
    counts: FilterCounts,
    preview: Preview,
  }),
  cursor: z.string().nullable(),
});
export type FindingsResponse = z.infer<typeof FindingsResponse>;
