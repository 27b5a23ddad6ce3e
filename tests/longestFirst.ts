/** The order of test files: what takes longest is begun first, so that no core waits at the end for a long file that was begun last. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Half a minute or more by itself, which their size does not tell. CI names the ten slowest files at its end. */
const LONG = [
  'torture/work/work',
  'torture/history/plants',
  'torture/billing/plants',
  'integrations/renderer/chromiumRenderer',
  'audit/crawl/hostileAudits',
  'cli/audit',
  'tree/regularExpressions',
  'history/past/past',
  'work/sequences',
  'web/features/payments/purchase',
  'e2e/screens',
  'e2e/actionsDashboard',
  'e2e/journey',
  'e2e/jobsHome',
  'e2e/programs',
  'e2e/badInput',
  'e2e/sharing',
  'e2e/hostileMarkdown',
  'e2e/work',
].map((name) => `/tests/${name}.test.ts`);

const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((end) => moduleId.endsWith(end));

export class LongestFirst extends BaseSequencer {
  /**
   * Within each project; otherwise as Vitest would have it. Projects one after the other: a worker that keeps what it has loaded ends as soon as a file of
   * another project comes next.
   */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = (file: TestSpecification): number => 2 * projects.indexOf(file.project) + (isLong(file) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
