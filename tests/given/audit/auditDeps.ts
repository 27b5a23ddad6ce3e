/**
 * The outside dependencies of an audit, for a site on loopback: the real fetcher and the built-in analyst, with a
 * manual clock.
 */
import { randomUUID } from 'node:crypto';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { Analyst } from '../../../src/integrations/analyst/analyst.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import type { AuditJobDeps } from '../../../src/workers/jobRun.ts';
import type { Product } from '../commands.ts';

type Given = { readonly store?: EventStore; readonly analyst?: Analyst };

export function auditDeps(
  made: Product,
  host: string,
  { store = made.store, analyst = createRulesAnalyst() }: Given = {},
): AuditJobDeps {
  return {
    store,
    now: made.now,
    clock: () => Date.parse(made.now()),
    newId: randomUUID,
    sleep: async () => undefined,
    openFetcher: () => createFetcher({ allowHosts: [host], userAgent: 'Test/1' }),
    parse: async (input) => parsePage(input),
    analyst,
    userAgent: 'Test/1',
  };
}
