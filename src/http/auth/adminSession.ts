/**
 * How long a session may administer: shorter than the session itself, and without an event per request
 * (docs/decisions/0013).
 */
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';

const IDLE_MS = 30 * 60 * 1_000;
/** Counted from the log-in. */
const LONGEST_MS = 8 * 60 * 60 * 1_000;
/** A use is recorded at most this often, so the idle limit may apply this much early. */
const NOTED_EVERY_MS = 30 * 1_000;

type Sources = Pick<HttpDeps, 'presence' | 'now'>;
type AdminSession = Pick<Caller, 'sessionId' | 'startedAt'>;

/**
 * When this session can no longer administer unless its admin does something before; UTC ISO. The log-in counts as a
 * use.
 */
export async function administersUntil(
  { presence }: Pick<Sources, 'presence'>,
  { sessionId, startedAt }: AdminSession,
): Promise<string> {
  const start = Date.parse(startedAt);
  const used = await presence.get('admin', sessionId);
  const last = used ? Math.max(start, Date.parse(used.at)) : start;
  return new Date(Math.min(start + LONGEST_MS, last + IDLE_MS)).toISOString();
}

/** Records that the admin did something in this session. Losing a record only asks for an earlier log-in. */
export async function noteAdminUse(
  { presence, now, log }: Sources & Pick<HttpDeps, 'log'>,
  { sessionId }: AdminSession,
): Promise<void> {
  const at = now();
  try {
    const used = await presence.get('admin', sessionId);
    if (used && Math.abs(Date.parse(at) - Date.parse(used.at)) < NOTED_EVERY_MS) return;
    await presence.note('admin', { id: sessionId, at, value: '' });
  } catch (error) {
    log.warn({ err: error }, 'the use of admin rights could not be recorded');
  }
}
