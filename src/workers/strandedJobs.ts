/**
 * Jobs that nobody works on: a store may lose a delivery (EventStoreDB hands out no more what its restart found beyond a checkpoint, or what was
 * replayed and not settled). Whoever has nothing else to do takes them up.
 */

/** What is looked at of a job that has not ended. */
export type OpenJob = {
  readonly jobId: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly stages: Readonly<Partial<Record<string, { readonly startedAt: string; readonly endedAt: string | null }>>>;
};

export type StrandedJobsDeps = {
  /** Open jobs that were submitted before that time (UTC ISO), oldest first; not necessarily all. */
  readonly listOpen: (before: string) => Promise<readonly OpenJob[]>;
  /** UTC ISO. */
  readonly now: () => string;
  /** How long a job that is worked on may go without a step, ms. */
  readonly quietMs: number;
  readonly worker: { hasRoom(): boolean; takeUp(jobId: string, userId: string): boolean };
};

/**
 * One round; answers how many jobs it took up. A job has to stand still in two rounds: one that waits its turn is handed out between them. When
 * several workers take up the same, or its delivery comes after all, the job's stream lets the last one go on.
 */
export function createStrandedJobs({ listOpen, now, quietMs, worker }: StrandedJobsDeps): () => Promise<number> {
  let suspects: ReadonlyMap<string, string> = new Map();
  return async () => {
    if (!worker.hasRoom()) {
      suspects = new Map();
      return 0;
    }
    const before = new Date(Date.parse(now()) - quietMs).toISOString();
    const still = (await listOpen(before)).map((job) => ({ job, since: lastStep(job) })).filter(({ since }) => since < before);
    const stranded = still.filter(({ job, since }) => suspects.get(job.jobId) === since);
    suspects = new Map(still.map(({ job, since }) => [job.jobId, since]));
    return stranded.filter(({ job }) => worker.takeUp(job.jobId, job.userId)).length;
  };
}

function lastStep({ createdAt, startedAt, stages }: OpenJob): string {
  const steps = Object.values(stages).flatMap((stage) => (stage ? [stage.startedAt, stage.endedAt ?? stage.startedAt] : []));
  return [createdAt, startedAt ?? createdAt, ...steps].reduce((latest, at) => (at > latest ? at : latest));
}
