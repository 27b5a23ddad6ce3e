import { useRef } from 'react';
import type { JobView } from '../../../src/http/contract/jobs.ts';

type Shown = Pick<JobView, 'id' | 'status'> & { eta: NonNullable<JobView['eta']> };

/**
 * The job with an estimate that never increases within a stage: a later, longer one is replaced by the one already
 * shown.
 */
export function useSteadyEta(job: JobView): JobView {
  const shown = useRef<Shown | null>(null);
  const { id, status, eta } = job;
  if (!eta) return job;
  const held = shown.current;
  if (held && held.id === id && held.status === status && eta.to > held.eta.to) return { ...job, eta: held.eta };
  shown.current = { id, status, eta };
  return job;
}
