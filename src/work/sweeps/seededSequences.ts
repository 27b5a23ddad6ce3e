/** Creates the default sequences on a new installation. A deleted one is not recreated. */
import type { ContextOf } from '../../commands/context.ts';
import { SEEDED_SEQUENCES } from '../../commands/sequence/seeds.ts';
import { seedSequence } from '../../commands/sequence/sequences.ts';
import type { Sweep } from '../sweep.ts';

export function createSeededSequences({ context }: { readonly context: ContextOf }): Sweep {
  return {
    name: 'seededSequences',
    everyMs: 24 * 60 * 60 * 1_000,
    async run(kept) {
      // Compared with the state, so that a newer version with more sequences adds them.
      const wanted = SEEDED_SEQUENCES.map(({ key }) => key).join(' ');
      if (kept === wanted) return { done: 0, kept };
      let done = 0;
      for (const seed of SEEDED_SEQUENCES) if (await seedSequence(context(null), seed)) done += 1;
      return { done, kept: wanted };
    },
  };
}
