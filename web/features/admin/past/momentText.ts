/** The moment of a past view: as the server found it or, without an answer, as the address requests it. */
import type { MomentView } from '../../../../src/http/contract/admin/past.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { timeIn } from './pastAddress.ts';

/** `at`: in the address. `moment`: absent while there is no answer. */
export interface Shown {
  readonly at: string;
  readonly moment: MomentView | undefined;
}

/** The time that was requested, else that of the last event; '' if neither is known. */
export const timeOf = ({ at, moment }: Shown): string => (moment ? (moment.requested ?? moment.time) : timeIn(at));

/** Its address: a position where no time was requested, which shows the same again even while more happens. */
export const atOf = ({ requested, position }: MomentView): string => requested ?? position;

/** With the time of the last event, if that was earlier. */
export function momentText(shown: Shown): string {
  const { moment } = shown;
  const then = exactTime(timeOf(shown), 'seconds');
  const last = moment ? exactTime(moment.time, 'seconds') : then;
  return then === last ? then : `${then} (last event: ${last})`;
}
