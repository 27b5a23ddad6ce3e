/**
 * Each process's report about itself, visible to all processes of the installation: one small document per process,
 * renewed periodically.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from 'pino';
import * as z from 'zod';
import { ascending } from '../../model/order.ts';
import { LLM_PROVIDERS } from '../../model/system.ts';
import type { Presence } from '../../readModels/presence.ts';

const EVERY_MS = 10_000;
/**
 * Three heartbeats are missing: more than a busy process, or slightly different clocks of two machines, would explain.
 */
const GONE_AFTER_MS = 35_000;
/** How long a process that is gone is still shown. */
const SHOWN_MS = 60 * 60 * 1_000;
const FORGET_MS = 24 * 60 * 60 * 1_000;
const MOST_PROCESSES = 200;

const ProcessFacts = z.object({
  role: z.enum(['all', 'http', 'projector', 'worker']),
  host: z.string(),
  pid: z.int(),
  since: z.string(),
  version: z.string(),
  /** 99th percentile since the previous heartbeat, ms. */
  loopDelayMs: z.number(),
  heapUsed: z.number(),
  heapTotal: z.number(),
  rss: z.number(),
  /** Null in a process that writes no texts. */
  analyst: z
    .object({
      provider: z.enum(LLM_PROVIDERS),
      model: z.string().nullable(),
      lastSuccessAt: z.string().nullable(),
      lastFailureAt: z.string().nullable(),
      failure: z.string().nullable(),
      asked: z.number(),
      fellBack: z.number(),
      coolingDown: z.boolean(),
    })
    .nullable(),
  /** Of its data folder; null in a process without one. */
  disk: z.object({ free: z.number(), total: z.number() }).nullable(),
});
export type ProcessFacts = z.infer<typeof ProcessFacts>;

export type SeenProcess = ProcessFacts & { readonly id: string; readonly seenAt: string; readonly gone: boolean };

export type ProcessPresenceOptions = {
  readonly presence: Presence;
  /** Unique to this start of the process. */
  readonly id: string;
  readonly facts: () => Promise<Omit<ProcessFacts, 'loopDelayMs'>>;
  /** UTC ISO. */
  readonly now: () => string;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, 'warn'>;
};

/** Runs until the signal aborts, then removes the process from the list. Never rejects. */
export async function keepPresence({
  presence,
  id,
  facts,
  now,
  sleep,
  signal,
  log,
}: ProcessPresenceOptions): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let unavailable = false;
  while (!signal.aborted) {
    try {
      const at = now();
      const loopDelayMs = Math.round(delay.percentile(99) / 1e5) / 10;
      delay.reset();
      await presence.note('process', {
        id,
        at,
        value: JSON.stringify({ ...(await facts()), loopDelayMs } satisfies ProcessFacts),
      });
      const old = new Date(Date.parse(at) - FORGET_MS).toISOString();
      await Promise.all((['process', 'user', 'admin', 'audit'] as const).map((kind) => presence.forget(kind, old)));
      unavailable = false;
    } catch (error) {
      if (!unavailable) log.warn({ err: error }, 'the process could not record its heartbeat; retrying');
      unavailable = true;
    }
    await sleep(EVERY_MS, signal);
  }
  delay.disable();
  await presence.remove('process', id).catch(() => undefined);
}

/** Running processes, and those that ended without signing off. Longest running first. */
export async function listProcesses(presence: Pick<Presence, 'list'>, now: string): Promise<readonly SeenProcess[]> {
  const since = new Date(Date.parse(now) - SHOWN_MS).toISOString();
  const seen = await presence.list('process', { since, limit: MOST_PROCESSES });
  return seen
    .flatMap(({ id, at, value }) => {
      const facts = read(value);
      return facts ? [{ ...facts, id, seenAt: at, gone: Date.parse(now) - Date.parse(at) > GONE_AFTER_MS }] : [];
    })
    .sort((a, b) => ascending(a.since, b.since));
}

/** Null for the format of another version. */
function read(value: string): ProcessFacts | null {
  try {
    return ProcessFacts.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
}
