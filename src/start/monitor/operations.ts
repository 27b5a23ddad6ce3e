/** What admins can do about the installation from its page, with the same commands as operators in a terminal. */
import { join } from 'node:path';
import type { SystemDeps } from '../../http/deps/system.ts';
import { listOutbox } from '../../integrations/mailer/outbox.ts';
import { operateWork } from '../../work/operate.ts';
import { WORK_RULES } from '../../work/rules.ts';
import { problemsOf } from './problems.ts';
import { readSystemState, type SystemStateParts } from './systemState.ts';

type Operations = Pick<SystemDeps, 'state' | 'problemsOf' | 'work' | 'outbox'>;

/** `keepsMail`: emails are kept in a folder on the server. */
export function systemOperations(parts: SystemStateParts & { readonly keepsMail: boolean }): Operations {
  const { readModels, claims } = parts.stores;
  const operate = (context: Parameters<typeof operateWork>[0]['context']) => ({ readModels, claims, context });
  const reading = operate(() => {
    throw new Error('A list changes nothing.');
  });
  return {
    state: () => readSystemState(parts),
    problemsOf,
    work: {
      kinds: WORK_RULES.map(({ kind }) => kind),
      list: (query) => operateWork(reading, { action: 'list', ...query }),
      retry: async (ctx, { kind, itemId }) =>
        void (await operateWork(
          operate(() => ctx),
          { action: 'retry', kind, itemId },
        )),
      drop: async (ctx, { kind, itemId }) =>
        void (await operateWork(
          operate(() => ctx),
          { action: 'drop', kind, itemId },
        )),
    },
    outbox: () => (parts.keepsMail ? listOutbox(join(parts.config.DATA_DIR, 'outbox')) : null),
  };
}
