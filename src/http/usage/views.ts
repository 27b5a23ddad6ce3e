import type { Logger } from 'pino';
import type { CommandContext } from '../../commands/context.ts';
import { createReportOpenings } from './reportOpenings.ts';
import { createShareVisits } from './shareVisits.ts';

/** Recording of who views what, apart from the responses. */
export function createViews(context: () => CommandContext, log: Logger) {
  const [visits, reportOpenings] = [createShareVisits({ context, log }), createReportOpenings(log)];
  const close = async (): Promise<void> => {
    await Promise.all([visits.close(), reportOpenings.written()]);
  };
  return { visits, reportOpenings, close };
}
