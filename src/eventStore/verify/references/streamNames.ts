/**
 * Every event is in the stream of its subject: also covers streams with a single event, whose names no chain verifies.
 */
import type { Fault } from '../fault.ts';
import { faultAt } from '../fault.ts';
import type { ReferenceCheck } from './reference.ts';

/** Each with the field that its name ends with. Longer prefixes first: `job-deletions-` also starts with `job-`. */
const NAMES: readonly (readonly [prefix: string, field: string])[] = [
  ['api-key-use-', 'keyId'],
  ['webhook-delivery-', 'deliveryId'],
  ['webhook-secret-', 'endpointId'],
  ['second-factor-', 'userId'],
  ['log-in-', 'userId'],
  ['event-export-', 'exportId'],
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

/** More than this indicates another kind of fault, and would fill memory. */
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
        if (typeof id === 'string' && event.stream !== `${prefix}${id}`)
          faults.push(faultAt(event, 'references', 'Its stream is that of another thing.'));
      },
      keepLess: () => undefined,
      end: () => faults,
    };
  },
};
