/** Records when a key was last used: at most once an hour per key, and without delaying the request. */
import { noteApiKeyUse } from '../../commands/apiKeys/noteApiKeyUse.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import { actorOf } from './actor.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** Cache size. Beyond it the cache is cleared, and the read model's own time decides. */
const MAX_REMEMBERED = 10_000;

export type ApiKeyUse = { note(deps: HttpDeps, caller: Caller, requestId: string): void };

export function createApiKeyUse(): ApiKeyUse {
  const noted = new Map<string, number>();
  return {
    note(deps, caller, requestId) {
      const { apiKey } = caller;
      if (!apiKey) return;
      const { keyId, lastUsedAt } = apiKey;
      const now = Date.parse(deps.now());
      const last = Math.max(noted.get(keyId) ?? 0, lastUsedAt === null ? 0 : Date.parse(lastUsedAt));
      if (now - last < HOUR_MS) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(keyId, now);
      const command = {
        store: deps.store,
        now: deps.now,
        commandId: deps.newId(),
        actor: actorOf(caller),
        correlationId: requestId,
      };
      noteApiKeyUse(command, { keyId }).catch((error: unknown) =>
        deps.log.warn({ err: error, keyId }, 'the use of an API key could not be recorded'),
      );
    },
  };
}
