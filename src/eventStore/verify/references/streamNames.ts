/** An event stands in the stream of the thing that it is about: also of streams of one event, which no chain holds to their names. */
import type { Fault } from '../fault.ts';
import { faultAt } from '../fault.ts';
import type { ReferenceCheck } from './reference.ts';

/** Each with the field that its name ends with. Longer ones first: `job-` begins `job-deletions-`, too. */
const NAMES: readonly (readonly [prefix: string, field: string])[] = [
  ['api-key-use-', 'keyId'],
  ['webhook-delivery-', 'deliveryId'],
  ['webhook-secret-', 'endpointId'],
  ['second-factor-', 'userId'],
  ['job-deletions-', 'userId'],
  ['share-visits-', 'jobId'],
  ['api-keys-', 'userId'],
  ['webhooks-', 'userId'],
  ['sequence-', 'sequenceId'],
  ['account-', 'userId'],
  ['billing-', 'userId'],
  ['session-', 'sessionId'],
  ['report-', 'jobId'],
  ['shares-', 'jobId'],
  ['rework-', 'reworkId'],
  ['crawl-', 'jobId'],
  ['mail-', 'mailId'],
  ['plan-', 'jobId'],
  ['job-', 'jobId'],
];

/** More than so many are one fault of another kind, and fill memory. */
const MOST = 1_000;

export const streamNames: ReferenceCheck = {
  name: 'streamNames',
  begin() {
    const faults: Fault[] = [];
    return {
      take(event) {
        const named = NAMES.find(([prefix]) => event.stream.startsWith(prefix));
        if (named === undefined || event.unreadable !== undefined || faults.length >= MOST) return;
        const [prefix, field] = named;
        const data: Readonly<Record<string, unknown>> = { ...event.data };
        const id = data[field];
        if (typeof id === 'string' && event.stream !== `${prefix}${id}`) faults.push(faultAt(event, 'references', 'Its stream is that of another thing.'));
      },
      keepLess: () => undefined,
      end: () => faults,
    };
  },
};
