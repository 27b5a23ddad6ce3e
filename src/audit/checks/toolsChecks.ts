/** The checks of the category tools, sorted by id. */
import type { Check } from './check.ts';
import { analyticsMissing } from './tools/analytics-missing.ts';
import { faviconMissing } from './tools/favicon-missing.ts';
import { searchConsoleMissing } from './tools/search-console-missing.ts';

export const TOOLS_CHECKS: readonly Check[] = [analyticsMissing, faviconMissing, searchConsoleMissing];
