/** The order of test files: what takes longest is begun first, so that no core waits at the end for a long file that was begun last. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long, which their size does not tell: in each project the longest first. CI names the ten slowest files at its end. */
const LONG = [
  'torture/work/work',
  'torture/history/plants',
  'torture/billing/plants',
  'integrations/renderer/chromiumRenderer',
  'audit/crawl/hostileAudits',
  'http/openApiAnswers',
  'cli/audit',
  'tree/regularExpressions',
  'history/past/past',
  'work/sequences',
  'web/features/payments/purchase',
  'web/app/home',
  'web/app/plans',
  'web/features/actions/dashboard',
  'e2e/screens',
  'e2e/actionsDashboard',
  'e2e/payments/buyReports',
  'e2e/badInput',
  'e2e/programs',
  'e2e/payments/subscription',
  'e2e/journey',
  'e2e/payments/stripeElements',
  'e2e/jobsHome',
  'e2e/admin/emailSequences',
  'e2e/admin/adminHistory',
  'e2e/admin/adminPast',
  'e2e/sharing',
  'e2e/admin/analytics',
  'e2e/survival',
  'e2e/realSite',
  'e2e/mfa',
  'e2e/languageModel',
  'e2e/billing',
  'e2e/work',
  'e2e/processes',
  'e2e/history',
  'e2e/backlog',
].map((name) => `/tests/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((path) => moduleId.endsWith(path) || moduleId.endsWith(`${path}x`));
  return place === -1 ? LONG.length : place;
};

/** Projects whose files would leave cores without work at the end: those that have processes of their own, and those that mostly wait for what they kill. */
const FIRST: ReadonlySet<string> = new Set(['alone', 'kills']);
const isFirst = ({ name }: TestSpecification['project']): boolean => FIRST.has(name);

export class LongestFirst extends BaseSequencer {
  /**
   * Within each project; otherwise as Vitest would have it. Projects one after the other: a worker that keeps what it has loaded ends as soon as a file of
   * another project comes next.
   */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const named = [...new Set(sorted.map(({ project }) => project))];
    const projects = [...named.filter(isFirst), ...named.filter((project) => !isFirst(project))];
    return sorted.sort((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || placeOf(a) - placeOf(b));
  }
}
