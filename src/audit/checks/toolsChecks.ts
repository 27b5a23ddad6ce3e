/** The checks of the category tools, sorted by id. */
import type { Check } from './check.ts';
import { analyticsDuplicate } from './tools/analytics-duplicate.ts';
import { analyticsMissing } from './tools/analytics-missing.ts';
import { cookieConsentMissing } from './tools/cookie-consent-missing.ts';
import { faviconMissing } from './tools/favicon-missing.ts';
import { feedMissing } from './tools/feed-missing.ts';
import { manifestInvalid } from './tools/manifest-invalid.ts';
import { searchConsoleMissing } from './tools/search-console-missing.ts';

export const TOOLS_CHECKS: readonly Check[] = [
  analyticsDuplicate,
  analyticsMissing,
  cookieConsentMissing,
  faviconMissing,
  feedMissing,
  manifestInvalid,
  searchConsoleMissing,
];
