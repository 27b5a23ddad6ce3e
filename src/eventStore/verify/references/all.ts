import type { ReferenceCheck } from './reference.ts';
import { reservations } from './reservations.ts';
import { streamNames } from './streamNames.ts';
import { TABLE } from './table.ts';

export const REFERENCE_CHECKS: readonly ReferenceCheck[] = [...TABLE, reservations, streamNames];
