/** The dependencies of follow-ups that need the analyst or a site: the built-in analyst, in this thread. */
import { parsePage } from '../../src/audit/facts/parse/parsePage.ts';
import type { FollowUp } from '../../src/commands/plan/followUp.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { createFollowUp, type FollowUpDeps } from '../../src/workers/followUp.ts';

/** A network in which no site responds. */
const nowhere: FollowUpDeps['openFetcher'] = () =>
  Object.assign(
    async (url: string) =>
      ({
        ok: false,
        failure: 'refused',
        message: 'The connection was refused.',
        hops: [],
        requestedUrl: url,
        url,
      }) as const,
    {
      close: async () => undefined,
    },
  );

export function followUpWith(given: Partial<FollowUpDeps> = {}): FollowUp {
  return createFollowUp({
    analyst: createRulesAnalyst(),
    clock: Date.now,
    sleep: async () => undefined,
    // Time does not run out.
    deadline: () => new AbortController().signal,
    openFetcher: nowhere,
    parse: async (input) => parsePage(input),
    userAgent: 'Test/1',
    ...given,
  });
}
