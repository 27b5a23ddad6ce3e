import { actionItemsMarkdown } from '../../audit/report/actionItemsMarkdown.ts';
import type { CheckView } from '../../http/contract/checks.ts';
import type { Reports } from '../../http/deps/deps.ts';
import { modelInputOf } from '../../integrations/analyst/modelInput.ts';
import { createRulesAnalyst } from '../../integrations/analyst/rules.ts';

let checks: ReturnType<Reports['checks']> | null = null;

async function allChecks(): Promise<readonly CheckView[]> {
  const [{ CHECKS }, { WHOLE_SITE_CLAIMS }] = await Promise.all([
    import('../../audit/checks/index.ts'),
    import('../../audit/checks/wholeSiteClaims.ts'),
  ]);
  return CHECKS.map(({ hint, steps, looksIn = [], ...check }) => ({
    ...check,
    optional: hint,
    steps: [...steps],
    looksIn: [...looksIn],
    judgesParts: !WHOLE_SITE_CLAIMS.has(check.id),
  }));
}

/**
 * What the HTTP layer derives from stored reports: pure, without a model or network. Some of it needs the checks, which
 * are loaded on first use.
 */
export const storedReports: Reports = {
  checks: () => {
    checks ??= allChecks();
    return checks;
  },
  siteChecks: async () => (await import('../../audit/report/siteChecks.ts')).WHOLE_SITE_CHECKS,
  previewReport: async (findings, open) => {
    const { createPreviewReport } = await import('../../workers/previewReport.ts');
    return createPreviewReport(createRulesAnalyst())(findings, open);
  },
  promptPreview: async (prompt, findings, items) => {
    const { createPromptPreview } = await import('../../workers/promptPreview.ts');
    return createPromptPreview(modelInputOf)(prompt, findings, items);
  },
  itemsFile: actionItemsMarkdown,
};
