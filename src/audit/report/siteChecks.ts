import { CHECKS } from '../checks/index.ts';

/** Checks of the site as a whole rather than of each page. */
export const SITE_CHECKS: ReadonlySet<string> = new Set(
  CHECKS.filter((check) => check.scope === 'site').map((check) => check.id),
);
