/** How the nightly look at the log takes its steps. */
import { ERASURE } from '../../commands/closedStreams.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { Fault } from '../../eventStore/verify/fault.ts';
import { verifyLog } from '../../eventStore/verify/verifyLog.ts';
import type { VerifyStep } from '../../work/sweeps/verifiedLog.ts';

/** Of a step: about a second's work beside everything else. */
const STEP_EVENTS = 20_000;

/** `storedLog`: as it is stored, without upcasts. */
export function logSteps(storedLog: EventStore, most = STEP_EVENTS): VerifyStep {
  return async ({ after, isChained, signal }) => {
    const found: Fault[] = [];
    const onFault = (fault: Fault) => found.length === 0 && found.push(fault);
    const step = await verifyLog({ store: storedLog, erasure: ERASURE, after, isChained, most, onFault, signal });
    const [first] = found;
    return {
      ...{ events: step.events, faults: step.faults, position: step.position, end: step.end },
      first: first === undefined ? null : `${first.type} at revision ${first.revision} of ${first.stream} (position ${first.position}). ${first.text}`,
      isChained: isChained || step.chainedFrom !== null,
    };
  };
}
