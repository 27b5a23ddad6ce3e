/**
 * For sweeps: a subject with an unreadable event must not hold up the others. `npm run log -- verify` reports the
 * event.
 */
import { UnreadableEvent } from '../../eventStore/eventStore.ts';

/**
 * The result of `work` on one subject; null if it has an unreadable event, whose error is added to `passedOver`. Other
 * errors end the run.
 */
export async function orPassOver<T>(passedOver: Error[], work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    passedOver.push(error);
    return null;
  }
}
