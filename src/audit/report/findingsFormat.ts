/**
 * The format of `findings.json`, a stable interface for other programs. `docs/findings.schema.json` is generated from
 * it. A change that older readers would misread requires a new version.
 */
import * as z from 'zod';
import { presentTexts } from '../../model/earlierTexts.ts';
import {
  CATEGORIES,
  CHECK_STATES,
  DIFFICULTIES,
  EDIT_OPERATIONS,
  EDITED,
  GRADES,
  IMPACTS,
  LINK_POSITIONS,
  ROOT_KINDS,
} from '../../model/findings.ts';
import { NOT_JUDGED_REASONS } from '../../model/scores.ts';

export const FINDINGS_FORMAT = { format: 'seo-audit-findings', version: 3 } as const;

/** Still read: audits of earlier versions. */
const FORMER_VERSION = 2;

/** Whether this program reads findings of that version. */
export const isReadable = (version: unknown): boolean =>
  version === FINDINGS_FORMAT.version || version === FORMER_VERSION;

/** Of links: in pages, to other sites, to pictures, and to what a page names as its canonical address. */
const LINK_KINDS = ['internal', 'external', 'image', 'canonical'] as const;

const Category = z.enum(CATEGORIES);
const Patterns = z.array(z.string());
const Impact = z.enum(IMPACTS);
const Count = z.int().min(0);

const Evidence = z.object({
  url: z.string().describe('The page where it was seen.'),
  place: z.string().describe('Where on it: a selector, a header, a line.'),
  value: z.string().describe('What was found there.'),
});

const Root = z.object({
  kind: z.enum(ROOT_KINDS),
  name: z.string().describe('A path pattern (`*`: all templates), an address, a header, a file, or a path.'),
  position: z.enum(LINK_POSITIONS).exactOptional().describe('Of a link that pages share.'),
});

const FindingRecord = z.object({
  id: z.string().describe('The same in every run in which the same check finds the same place of the same page.'),
  checkId: z.string(),
  category: Category,
  impact: Impact,
  hint: z.boolean().describe('Hints never lower the score.'),
  message: z.string(),
  evidence: Evidence,
  code: z.string().nullable().describe('The fix, written with the texts of the site.'),
  edit: z
    .object({
      edits: z.enum(EDITED).describe('`server`: how an address is answered, such as a redirect.'),
      operation: z.enum(EDIT_OPERATIONS),
      at: z
        .string()
        .describe(
          'Selector, header, path of the file, lines of robots.txt, the sitemap, or the address that is answered.',
        ),
      on: z.string().exactOptional().describe('The page that is changed, if not that of the finding.'),
    })
    .exactOptional()
    .describe('How the code is applied. Absent without code, and in files of earlier versions.'),
  root: Root.exactOptional().describe('What one edit would fix. Absent in files of earlier versions.'),
});

const Outcome = z.object({
  checkId: z.string(),
  state: z.enum(CHECK_STATES),
  looked: Count.describe('Pages (or the site: 1) that it looked at.'),
  failed: Count,
  notChecked: Count.describe('Pages (or the site: 1) where it applies but could not be checked.'),
  omitted: Count.describe('Findings that are not listed, because there were too many of the same.'),
  error: z.string().nullable(),
  because: z.string().exactOptional().describe('Why it was not checked, if not because data was missing.'),
});

const CheckRecord = z.object({
  id: z.string(),
  title: z.string(),
  category: Category,
  group: z.string(),
  impact: Impact,
  difficulty: z.enum(DIFFICULTIES),
  minutes: z.number(),
  risk: z.string().describe('What happens while it is not fixed.'),
  gain: z.string().describe('What fixing it brings.'),
  timeToResult: z.string(),
  steps: z.array(z.string()).describe('What to do, in order.'),
  example: z
    .object({ before: z.string().nullable(), after: z.string() })
    .nullable()
    .describe('For any site. Values that only the owner knows read `YOUR …`.'),
  tags: z.array(z.string()),
  source: z.string(),
  lighthouse: z.string().nullable(),
  hint: z.boolean(),
});

const IssueRecord = z.object({
  checkId: z.string().describe('The same in every run.'),
  title: z.string(),
  category: Category,
  impact: Impact,
  optional: z.boolean().describe('It costs no points.'),
  points: z.number(),
  minutes: z.number().describe('To fix it everywhere.'),
  where: z.string().describe('`on 12 of 14 pages`, `for the whole site`.'),
  pages: Count,
  findings: Count.describe('Its own, and those of the checks in `settles`.'),
  roots: z
    .array(Root.extend({ pages: Count }))
    .nullable()
    .describe('What its own findings are fixed by, that of most pages first; only the first ones.'),
  settles: z.array(z.string()).describe('Checks whose findings depend on it: fixing it is enough.'),
});

const ScoreRecord = z.object({
  value: z.number().min(0).max(100).describe('To the tenth; shown as a whole number.'),
  formula: Count.optional().describe(
    'Version of the formula; absent for the first. Scores of two versions cannot be compared.',
  ),
  deductions: z.array(
    z.object({
      checkId: z.string(),
      category: Category,
      points: z.number(),
      weight: z.number().optional(),
      failed: Count,
      looked: Count,
      base: Count.optional(),
      gate: z.literal(true).optional().describe('It keeps pages from being found.'),
    }),
  ),
  categories: z.array(
    z.object({ category: Category, lost: z.number(), cap: z.number().optional().describe('Of formula 1.') }),
  ),
  limits: z.array(
    z.object({
      cap: z.number(),
      reason: z.string(),
      checkIds: z.array(z.string()).optional().describe('The checks whose findings say what keeps it there.'),
    }),
  ),
  foundations: z
    .object({ grade: z.enum(GRADES), looked: Count, failed: Count })
    .nullish()
    .describe('What is not search: of the checks that applied, how many found something.'),
  pages: Count,
});

export const FindingsDocument = z.object({
  format: z.literal(FINDINGS_FORMAT.format),
  version: z.literal(FINDINGS_FORMAT.version),
  url: z.string().describe('As submitted.'),
  host: z.string(),
  generatedAt: z.string().describe('UTC ISO.'),
  score: ScoreRecord.nullable().describe('Null when the site was not scored, or nothing could be read.'),
  notJudged: z.enum(NOT_JUDGED_REASONS).optional().describe('Why the site was not scored.'),
  coverage: z.object({
    text: z.string(),
    stop: z.enum(['complete', 'page_budget', 'time_budget', 'byte_budget', 'cancelled']),
    notFetched: Count,
    traps: z.array(z.object({ pattern: z.string(), count: Count })),
    settings: z
      .object({
        maxPages: Count.exactOptional(),
        folder: z.string().exactOptional(),
        include: Patterns.exactOptional(),
        exclude: Patterns.exactOptional(),
        sitemapOnly: z.literal(true).exactOptional(),
      })
      .exactOptional()
      .describe(
        'What the user set for the crawl; absent: nothing. Anything but `maxPages` makes it a part of the site.',
      ),
    addresses: z
      .object({
        discovered: Count,
        audited: Count,
        refused: z.object({ robots: Count, server: Count, guard: Count }),
        noPages: z.object({ redirects: Count, missing: Count, failing: Count, others: Count, files: Count }),
        notAsked: z.object({ limit: Count, full: Count, endless: Count, copies: Count }),
      })
      .exactOptional()
      .describe('What became of each discovered address: exactly one of these. Absent in files of earlier versions.'),
    untried: z
      .array(z.enum(LINK_KINDS))
      .exactOptional()
      .describe('Kinds of links of which some were not tried. Absent in files of earlier versions.'),
    pages: z.object({ html: Count, errors: Count, unreachable: Count, blocked: Count, redirects: Count, other: Count }),
  }),
  pages: z
    .array(
      z.object({
        url: z.string(),
        status: z.int().nullable(),
        audited: z.boolean().describe('It was HTML, and its content was looked at.'),
        rendered: z.boolean().optional().describe('Its content was read as a browser shows it.'),
      }),
    )
    .describe('Every address that was asked for: only what was asked for again can be called fixed.'),
  tried: z
    .array(z.string())
    .exactOptional()
    .describe('Addresses that pages link to or load and that were tried without being read. Absent in earlier files.'),
  issues: z
    .array(IssueRecord)
    .exactOptional()
    .describe(
      'What the findings come down to, by rank: what to fix first comes first. Absent in files of earlier versions.',
    ),
  findings: z.array(FindingRecord),
  outcomes: z.array(Outcome),
  checks: z.array(CheckRecord).describe('The checks that found something.'),
});
export type FindingsDocument = z.infer<typeof FindingsDocument>;
export type FindingRecord = z.infer<typeof FindingRecord>;

/** @throws Error with a one-line description of what is wrong with the text */
export function parseFindings(text: string): FindingsDocument {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('This is not JSON.');
  }
  const { format, version } = (typeof json === 'object' && json !== null ? json : {}) as {
    format?: unknown;
    version?: unknown;
  };
  if (format !== FINDINGS_FORMAT.format) throw new Error('These are not the findings of an audit.');
  if (version === FORMER_VERSION) return documentOf(present(json as Readonly<Record<string, unknown>>));
  if (version !== FINDINGS_FORMAT.version)
    throw new Error(
      `The findings have format version ${JSON.stringify(version)}; this program reads version ${FINDINGS_FORMAT.version}. Run the audit again.`,
    );
  return documentOf(json);
}

/** Version 2 had the texts of checks as `why`, `businessValue`, `fix` and `codeExample`. */
function present(json: Readonly<Record<string, unknown>>): unknown {
  const { checks } = json;
  return {
    ...json,
    version: FINDINGS_FORMAT.version,
    checks: Array.isArray(checks) ? checks.map(presentTexts) : checks,
  };
}

/** @throws Error */
function documentOf(json: unknown): FindingsDocument {
  const parsed = FindingsDocument.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`The findings are damaged at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** Source of `docs/findings.schema.json`. */
export function findingsJsonSchema(): object {
  return { title: 'Findings of an SEO audit', ...z.toJSONSchema(FindingsDocument) };
}
