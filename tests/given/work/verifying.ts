import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { Sealed } from '../../../src/eventStore/verify/seals.ts';
import { dailyVerification } from '../../../src/start/proof/dailyVerification.ts';
import {
  createVerifiedLog,
  type VerifiedPass,
  type VerifyStep,
  verifiedIn,
} from '../../../src/work/sweeps/verifiedLog.ts';
import { still } from './following.ts';

/** For an installation without log checks. */
export const nothingToVerify: VerifyStep = async ({ after }) => ({
  events: 0,
  faults: 0,
  unsealed: 0,
  first: null,
  position: after,
  end: true,
  checkpoint: null,
});

type Look = {
  readonly sealed?: Sealed | null;
  /** Restarts the process after this many steps. */
  readonly restartAfter?: number;
  /** Runs meanwhile, after this many steps. */
  readonly meanwhile?: { readonly after: number; readonly happens: () => Promise<unknown> };
  readonly mostRemembered?: number;
  readonly turn?: number;
};

/** A whole pass of the daily log check, with a few events per step. */
export async function dailyLook(log: EventStore, look: Look = {}): Promise<VerifiedPass & { readonly steps: number }> {
  const { sealed = null, restartAfter, meanwhile, mostRemembered, turn = 0 } = look;
  let ms = 0;
  const elapsed = (): number => {
    ms += 100;
    return ms;
  };
  const proof = async () => sealed && { id: 'kept', sealed };
  const inNewProcess = (): VerifyStep =>
    dailyVerification({
      storedLog: log,
      elapsed,
      page: 5,
      proof,
      ...(mostRemembered === undefined ? {} : { mostRemembered }),
    });
  let verifyStep = inNewProcess();
  const sweep = createVerifiedLog({
    verifyStep: (pass) => verifyStep(pass),
    head: () => log.head(),
    now: () => '2026-04-01T00:00:00.000Z',
  });
  let kept: string | null = JSON.stringify({ done: null, running: null, turn });
  for (let steps = 1; ; steps += 1) {
    ({ kept } = await sweep.run(kept, still));
    const { done = null, running = null } = verifiedIn(kept) ?? {};
    if (done !== null && running === null) return { ...done, steps };
    if (steps === restartAfter) verifyStep = inNewProcess();
    if (steps === meanwhile?.after) await meanwhile.happens();
  }
}
