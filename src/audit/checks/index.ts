/** All checks, sorted by id. */
import { ascending } from '../../model/order.ts';
import type { Check } from './check.ts';
import { CONTENT_CHECKS } from './contentChecks.ts';
import { SCHEMA_CHECKS } from './schemaChecks.ts';
import { SOCIAL_CHECKS } from './socialChecks.ts';
import { TECHNICAL_CHECKS } from './technicalChecks.ts';
import { TOOLS_CHECKS } from './toolsChecks.ts';

export const CHECKS: readonly Check[] = [...CONTENT_CHECKS, ...SCHEMA_CHECKS, ...SOCIAL_CHECKS, ...TECHNICAL_CHECKS, ...TOOLS_CHECKS].sort((a, b) =>
  ascending(a.id, b.id),
);
