/**
 * What assistants did with each API key: by tool how often, and when last. Kept beside the read models, without events,
 * for the key's owner to see. A killed process loses its last minute, and processes that write at the same moment may
 * lose a minute of one of them.
 */
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Presence } from '../../readModels/presence.ts';
import { createWindowCounts } from './windowCounts.ts';

const WINDOW_MS = 60_000;
const DAY_MS = 86_400_000;
const KEPT_MS = 90 * DAY_MS;

export type ToolUse = { readonly tool: string; readonly calls: number; readonly lastAt: string };

const Kept = z.record(z.string(), z.tuple([z.number(), z.string()]));

export type ToolUses = {
  /** Never fails or blocks. `tool`: one that exists, so that a key has no more of them. */
  note(keyId: string, tool: string): void;
  /** Writes the pending counts. */
  close(): Promise<void>;
};

type Deps = {
  readonly presence: Pick<Presence, 'note' | 'get' | 'forget'>;
  /** UTC ISO. */
  readonly now: () => string;
  readonly log: Pick<Logger, 'warn'>;
};

export function createToolUses({ presence, now, log }: Deps): ToolUses {
  let forgotAt = 0;
  let writing = Promise.resolve();
  async function add(keyId: string, tool: string, count: number): Promise<void> {
    const at = now();
    const kept = await readKept(presence, keyId);
    const [calls] = kept[tool] ?? [0];
    await presence.note('assistant', {
      id: keyId,
      at,
      value: JSON.stringify({ ...kept, [tool]: [calls + count, at] }),
    });
    if (Date.parse(at) - forgotAt < DAY_MS) return;
    forgotAt = Date.parse(at);
    await presence.forget('assistant', new Date(forgotAt - KEPT_MS).toISOString());
  }
  const counts = createWindowCounts<{ readonly keyId: string; readonly tool: string }>({
    now,
    windowMs: WINDOW_MS,
    // One after the other: each adds to what is there.
    write: ({ of: { keyId, tool }, count }) => {
      writing = writing
        .then(() => add(keyId, tool, count))
        .catch((error: unknown) => log.warn({ err: error, keyId }, 'calls of an assistant could not be counted'));
      return writing;
    },
  });
  return { note: (keyId, tool) => counts.add(`${keyId} ${tool}`, { keyId, tool }), close: counts.close };
}

/** Of a key, the last first. */
export async function toolUsesOf(presence: Pick<Presence, 'get'>, keyId: string): Promise<readonly ToolUse[]> {
  return Object.entries(await readKept(presence, keyId))
    .map(([tool, [calls, lastAt]]) => ({ tool, calls, lastAt }))
    .sort((a, b) => Date.parse(b.lastAt) - Date.parse(a.lastAt));
}

async function readKept(presence: Pick<Presence, 'get'>, keyId: string): Promise<z.infer<typeof Kept>> {
  const seen = await presence.get('assistant', keyId);
  const kept = Kept.safeParse(seen === null ? {} : parsed(seen.value));
  // Damaged counts start again.
  return kept.success ? kept.data : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
