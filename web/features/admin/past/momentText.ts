import type { MomentView } from '../../../../src/http/contract/admin/past.ts';
import { exactTime } from '../../../ui/text/time.ts';

/** The time that was requested, else that of the last event. */
export const timeOf = ({ requested, time }: MomentView): string => requested ?? time;

/** With the time of the last event, if that was earlier. */
export function momentText(moment: MomentView): string {
  const [then, last] = [exactTime(timeOf(moment), 'seconds'), exactTime(moment.time, 'seconds')];
  return then === last ? then : `${then} (last event: ${last})`;
}
