/** Moving a log between the stores, in a process with the young generation that `npm run migrate` has. */
import { startChild } from '../child.ts';
import type { Figure, Row } from '../measure.ts';
import type { AskedMigration } from './migrateChild.ts';

export const migrate: Figure = {
  name: 'migrate',
  async measure({ rounds, dir, full, say }) {
    say('both ways');
    const child = startChild('log/migrateChild', ['--max-semi-space-size=64']);
    try {
      return await child.ask<readonly Row[]>({ rounds, dir, full } satisfies AskedMigration);
    } finally {
      await child.stop();
    }
  },
};
