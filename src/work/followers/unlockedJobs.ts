/** Shows a preview in full once its unlock is paid. The command does so immediately; this catches up after a crash. */
import type { ContextOf } from '../../commands/context.ts';
import { showInFull } from '../../commands/job/unlockJob.ts';
import { unlessRefused } from '../../commands/unlessRefused.ts';
import { type Follower, followerOf } from '../follower.ts';

export type UnlockedJobsDeps = { readonly context: ContextOf };

export function createUnlockedJobs({ context }: UnlockedJobsDeps): Follower {
  return followerOf({
    name: 'unlockedJobs',
    types: ['UnlockPaid'],
    begins: 'at_the_start',
    async follow(event) {
      await showInFull(context(event), event.data).catch(unlessRefused('ALREADY_UNLOCKED', 'JOB_NOT_FOUND'));
    },
  });
}
