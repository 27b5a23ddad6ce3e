/** Every reservation ends, consumed or released, once its job is over. */
import { isOf } from '../../../domain/stored/eventOf.ts';
import { faultAt } from '../fault.ts';
import { forget, isOlder, placeOf, type ReferenceCheck } from './reference.ts';

type Open = { readonly place: ReturnType<typeof placeOf>; isSubmitted: boolean; overAt: string | null };

export const reservations: ReferenceCheck = {
  name: 'reservations',
  begin(isKept = () => true) {
    const open = new Map<string, Open>();
    return {
      take(event) {
        if (isOf(event, 'AnalysisReserved') && isKept(event.data.jobId))
          open.set(event.data.jobId, { place: placeOf(event), isSubmitted: false, overAt: null });
        else if (isOf(event, 'AnalysisConsumed', 'AnalysisReleased')) open.delete(event.data.jobId);
        else if (isOf(event, 'JobSubmitted')) Object.assign(open.get(event.data.jobId) ?? {}, { isSubmitted: true });
        else if (
          isOf(
            event,
            'JobCompleted',
            'JobPartiallyCompleted',
            'JobPartiallySucceeded',
            'JobCancelled',
            'JobFailed',
            'JobDeleted',
          )
        )
          Object.assign(open.get(event.data.jobId) ?? {}, { overAt: event.metadata.at });
      },
      keepLess: () => forget(open, isKept),
      end: (at) =>
        [...open.values()].flatMap(({ place, isSubmitted, overAt }) => {
          const since = overAt ?? (isSubmitted ? null : place.at);
          if (since === null || !isOlder(since, at)) return [];
          const text =
            overAt === null
              ? 'No job was ever submitted with it, and it was not given back.'
              : 'Its job is over, and it was neither consumed nor released.';
          return [faultAt(place, 'references', text)];
        }),
    };
  },
};
