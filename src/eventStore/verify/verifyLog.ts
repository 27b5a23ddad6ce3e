/** Reads the whole log as stored and reports its faults and their locations. */
import { type Position, START } from '../eventStore.ts';
import { createPace } from '../pacing.ts';
import { beginVerification, type VerificationOptions, type Verified } from './verification.ts';

export type VerifyOptions = Omit<VerificationOptions, 'sealed' | 'mostRemembered' | 'turn'> & {
  readonly sealed?: VerificationOptions['sealed'];
  /** Called after each page. */
  readonly onProgress?: (progress: { readonly events: number; readonly position: Position }) => void;
  readonly signal?: AbortSignal;
};

const PAGE = 500;

/** @throws the signal's reason; the store's errors */
export async function verifyLog({ sealed = null, onProgress, signal, ...options }: VerifyOptions): Promise<Verified> {
  const verification = beginVerification({ ...options, sealed });
  const pace = createPace('background');
  for (let after = options.after ?? START, end = false; !end; ) {
    signal?.throwIfAborted();
    const page = await options.store.readAll({ after, limit: PAGE });
    for (const event of page.events) {
      await verification.take(event);
      if (pace.isDue()) await pace.pass();
    }
    after = page.next;
    end = page.end;
    onProgress?.({ events: verification.counts.events, position: after });
  }
  return verification.end(pace);
}
