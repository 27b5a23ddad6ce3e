/** The rows of a stored report, by kind. */
import * as z from 'zod';
import { CATEGORIES, DIFFICULTIES, IMPACTS } from '../../model/findings.ts';
import { count, id } from './fields.ts';

const category = z.enum(CATEGORIES);
const impact = z.enum(IMPACTS);
const counts = z.array(count).readonly();
const text = z.string();
const number = z.number();

const finding = z.strictObject({
  id,
  checkId: text,
  category,
  impact,
  hint: z.boolean(),
  message: text,
  evidence: z.strictObject({ url: text, place: text, value: text }),
  code: text.nullable(),
});

const check = z.strictObject({
  id,
  title: text,
  category,
  difficulty: z.enum(DIFFICULTIES),
  minutes: number,
  timeToResult: text,
  businessValue: text,
  why: text,
  fix: text,
  codeExample: text.nullable(),
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
});

const score = z.strictObject({
  value: number,
  deductions: z.array(deduction).readonly(),
  categories: z.array(z.strictObject({ category, lost: number, cap: number })).readonly(),
  limits: z.array(z.strictObject({ cap: number, reason: text })).readonly(),
  pages: count,
});

const cause = z.strictObject({
  check,
  impact,
  hint: z.boolean(),
  wholeSite: z.boolean(),
  points: number,
  from: count,
  findings: count,
  pages: count,
  omitted: count,
  first: z.strictObject({ url: text, value: text }),
});

const overview = z.strictObject({
  host: text,
  score: score.nullable(),
  coverage: text,
  causes: z.array(cause).readonly(),
  checks: z.array(text).readonly(),
  parts: z.strictObject({ findings: counts, pages: counts }),
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
  rows: counts,
});

/** Schemas of `rows`, keyed by `kind`. */
export const REPORT_ROWS = {
  overview: z.array(overview).readonly(),
  findings: z.array(finding).readonly(),
  pages: z.array(page).readonly(),
};
