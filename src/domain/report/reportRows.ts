/**
 * Storage format, version with care: the rows of a stored report, by kind. `reportData.ts` makes them from an audit's
 * results.
 */
import * as z from 'zod';
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
import { INDEXABILITIES, PAGE_ROLES } from '../../model/pages.ts';
import { NOT_JUDGED_REASONS } from '../../model/scores.ts';
import { count, type Infer, id } from '../eventSchemas.ts';

const category = z.enum(CATEGORIES);
const impact = z.enum(IMPACTS);
const counts = z.array(count);
const text = z.string();
const number = z.number();

const root = {
  kind: z.enum(ROOT_KINDS),
  name: text,
  position: z.enum(LINK_POSITIONS).exactOptional(),
};

const finding = z.strictObject({
  id,
  checkId: text,
  category,
  impact,
  hint: z.boolean(),
  message: text,
  evidence: z.strictObject({ url: text, place: text, value: text }),
  code: text.nullable(),
  /** How the code is applied. */
  edit: z
    .strictObject({ edits: z.enum(EDITED), operation: z.enum(EDIT_OPERATIONS), at: text, on: text.exactOptional() })
    .exactOptional(),
  /** What one edit would fix. */
  root: z.strictObject(root).exactOptional(),
});

const check = z.strictObject({
  id,
  title: text,
  category,
  difficulty: z.enum(DIFFICULTIES),
  /** Estimated minutes to fix it in one place. */
  minutes: number,
  timeToResult: text,
  risk: text,
  gain: text,
  steps: z.array(text),
  example: z.strictObject({ before: text.nullable(), after: text }).nullable(),
  source: text,
});

const deduction = z.strictObject({
  checkId: text,
  category,
  points: number,
  weight: number.optional(),
  failed: count,
  looked: count,
  base: number.optional(),
  title: text,
  wholeSite: z.boolean(),
  /** It keeps pages from being found. */
  gate: z.literal(true).optional(),
});

const score = z.strictObject({
  /** To the tenth. */
  value: number,
  /** Version of the score's formula. Absent: the first. */
  formula: count.optional(),
  deductions: z.array(deduction),
  /** `cap`: of formula 1. */
  categories: z.array(z.strictObject({ category, lost: number, cap: number.optional() })),
  limits: z.array(z.strictObject({ cap: number, reason: text, checkIds: z.array(text).optional() })),
  foundations: z.strictObject({ grade: z.enum(GRADES), looked: count, failed: count }).nullish(),
  /** Audited HTML pages. */
  pages: count,
});

/** An issue: all findings of one check, and those of others that depend on them. */
const cause = z.strictObject({
  check,
  /** If not that of its check. */
  title: text.exactOptional(),
  steps: z.array(text).exactOptional(),
  impact,
  /** Only hints: costs no points. */
  hint: z.boolean(),
  /** Concerns the site as a whole, wherever it was found. */
  wholeSite: z.boolean(),
  /** Score points lost. */
  points: number,
  /** To fix it everywhere. Absent in audits of earlier versions. */
  minutes: number.exactOptional(),
  /** What its findings are fixed by, that of most pages first; only the first ones. */
  roots: z.array(z.strictObject({ ...root, pages: count })).exactOptional(),
  /** Its findings are rows `from` to `from + findings - 1`. */
  from: count,
  findings: count,
  /** The last of them, by check: those that are gone once the others are fixed. */
  joined: z.array(z.strictObject({ checkId: text, title: text, findings: count })).exactOptional(),
  /** Number of distinct addresses. */
  pages: count,
  /** Findings not listed because there are too many of the same kind. */
  omitted: count,
  /** `id`: of the finding; absent in audits of earlier versions. */
  first: z.strictObject({ url: text, value: text, id: id.exactOptional() }),
});

const overview = z.strictObject({
  host: text,
  /** Null if the site was not judged. */
  score: score.nullable(),
  /** Why it was not. */
  notJudged: z.enum(NOT_JUDGED_REASONS).exactOptional(),
  /** What was audited, in a sentence or two. */
  coverage: text,
  /** By rank: what to fix first comes first. */
  causes: z.array(cause),
  /** Checks that ran. */
  checks: z.array(text),
  /** Row counts of the stored parts, used to locate rows. */
  parts: z.strictObject({ findings: counts, pages: counts }),
  /**
   * Row counts of the parts in `page-records-{jobId}`; of a very large audit they are fewer than there are pages or
   * links (`allLinks`). Absent in audits of earlier versions.
   */
  records: z.strictObject({ pages: counts, links: counts, allLinks: count }).exactOptional(),
});

const page = z.strictObject({
  url: text,
  status: number.nullable(),
  problem: text,
  finalUrl: text,
  redirects: count,
  clicksFromStart: count.nullable(),
  foundBy: text,
  contentType: text,
  indexable: z.boolean().nullable(),
  canonical: text,
  title: text,
  titleLength: count.nullable(),
  description: text,
  h1: text,
  words: count.nullable(),
  links: count.nullable(),
  images: count.nullable(),
  bytes: number,
  firstByteMs: number,
  findings: count,
  highImpact: count,
  // Absent in audits of earlier versions.
  role: z.enum(PAGE_ROLES).exactOptional(),
  indexability: z.enum(INDEXABILITIES).exactOptional(),
  template: text.exactOptional(),
  inlinks: count.nullable().exactOptional(),
  outlinks: count.nullable().exactOptional(),
  externalLinks: count.nullable().exactOptional(),
  pageRank: count.nullable().exactOptional(),
  descriptionLength: count.nullable().exactOptional(),
  h1s: count.nullable().exactOptional(),
  lang: text.exactOptional(),
  imagesWithoutAlt: count.nullable().exactOptional(),
  dataTypes: z.array(text).exactOptional(),
  /** Numbers of the findings' rows made from it. */
  rows: counts,
});

/** Schemas of `rows`, keyed by `kind`. */
export const REPORT_ROWS = {
  overview: z.array(overview),
  findings: z.array(finding),
  pages: z.array(page),
};

export type ReportCause = Infer<typeof cause>;
export type ReportOverview = Infer<typeof overview>;
export type RecordParts = NonNullable<ReportOverview['records']>;
export type ReportPage = Infer<typeof page>;
