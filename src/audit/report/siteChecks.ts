import { CHECKS } from '../checks/index.ts';

/** Checks that look at the site as a whole, not at each page. */
export const SITE_CHECKS: ReadonlySet<string> = new Set(CHECKS.filter((check) => check.scope === 'site').map((check) => check.id));
