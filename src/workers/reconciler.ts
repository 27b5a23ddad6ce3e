/** Finishes or undoes, on a timer, what a crash between two streams has left open. */
export type ReconcilerDeps = {
  /** One round; each is idempotent. */
  readonly rounds: readonly { readonly name: string; readonly run: () => Promise<number> }[];
  readonly everyMs: number;
  readonly log: { info(fields: object, text: string): void; error(fields: object, text: string): void };
};

export type Reconciler = {
  /** One round now. */
  reconcile(): Promise<void>;
  stop(): Promise<void>;
};

export function startReconciler(deps: ReconcilerDeps): Reconciler {
  let current: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    for (const { name, run } of deps.rounds) {
      try {
        const mended = await run();
        if (mended > 0) deps.log.info({ name, mended }, 'reconciled');
      } catch (error) {
        deps.log.error({ name, err: error }, 'a reconciliation failed; it is tried again');
      }
    }
  }
  const reconcile = (): Promise<void> => {
    current = current.then(round);
    return current;
  };

  const timer = setInterval(() => void reconcile(), deps.everyMs);
  timer.unref();
  return {
    reconcile,
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
