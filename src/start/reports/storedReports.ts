import { actionItemsMarkdown } from '../../audit/report/actionItemsMarkdown.ts';
import { SITE_CHECKS } from '../../audit/report/siteChecks.ts';
import type { Reports } from '../../http/deps.ts';
import { askedWith } from '../../integrations/analyst/asked.ts';
import { createRulesAnalyst } from '../../integrations/analyst/rules.ts';
import { createPreviewReport } from '../../workers/previewReport.ts';
import { createPromptPreview } from '../../workers/promptPreview.ts';

/** What the HTTP side makes of stored reports: pure, without a model or the network. */
export const storedReports: Reports = {
  siteChecks: SITE_CHECKS,
  previewReport: createPreviewReport(createRulesAnalyst()),
  promptPreview: createPromptPreview(askedWith),
  itemsFile: actionItemsMarkdown,
};
