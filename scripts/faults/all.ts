import { AUDIT } from './audit.ts';
import { DOMAIN } from './domain.ts';
import type { Fault } from './fault.ts';
import { HTTP } from './http.ts';
import { PROJECTIONS } from './projections.ts';
import { STORES } from './stores.ts';
import { WEB } from './web.ts';
import { WORK } from './work.ts';

export const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  domain: DOMAIN,
  stores: STORES,
  projections: PROJECTIONS,
  work: WORK,
  http: HTTP,
  audit: AUDIT,
  web: WEB,
};
