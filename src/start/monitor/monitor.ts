/**
 * The state of the installation: what the process reports about itself, and the results of its service checks. For
 * admins.
 */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { SystemDeps } from '../../http/deps/system.ts';
import type { Analyst } from '../../integrations/analyst/analyst.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import { measureServedLag } from '../../projector/servedLag.ts';
import { READ_MODELS } from '../../work/rules.ts';
import { llmOf } from '../chooseAnalyst.ts';
import type { Config } from '../config.ts';
import type { Stores } from '../openStores.ts';
import type { LostKeys } from '../secrets/lostKeys.ts';
import { sleep } from '../sleep.ts';
import { version } from '../version.ts';
import { diskOf } from './disk.ts';
import { systemOperations } from './operations.ts';
import { keepPresence, listProcesses, type ProcessFacts } from './processPresence.ts';
import { runServiceChecks, type ServiceFinding } from './serviceChecks.ts';

export type MonitorParts = {
  readonly config: Pick<Config, 'ROLE' | 'DATA_DIR' | 'servers' | 'LLM_BASE_URL' | 'LLM_API_KEY' | 'LLM_MODEL'>;
  readonly stores: Pick<Stores, 'store' | 'readModels' | 'claims' | 'marks' | 'presence' | 'checkLog'>;
  /** Emails are kept in a folder on the server. */
  readonly keepsMail: boolean;
  readonly payments: Pick<Payments, 'eventsSince'> | null;
  /** Null in a process that writes no texts. */
  readonly analyst: Analyst | null;
  /** Of a process that has the keys. */
  readonly lostKeys?: LostKeys;
  /** Unique to this start of the process. */
  readonly id: string;
  /** UTC ISO. */
  readonly now: () => string;
  readonly log: Logger;
};

export type Monitor = {
  /** For a process that serves pages; starts the service checks. */
  system(): SystemDeps;
  stop(): Promise<void>;
};

export function startMonitor(parts: MonitorParts): Monitor {
  const { config, stores, id, now, log } = parts;
  const ending = new AbortController();
  const { signal } = ending;
  const since = now();
  const running: Promise<unknown>[] = [
    keepPresence({ presence: stores.presence, id, facts: () => factsOf(parts, since), now, sleep, signal, log }),
  ];
  return {
    system() {
      const checks = { supabase: () => checkOwn(parts.stores, now), stripe: () => checkPayments(parts, now) };
      const checking = runServiceChecks({ checks, now, clock: () => performance.now(), sleep, signal });
      running.push(checking.done);
      return {
        here: { id, role: config.ROLE, vitals: vitalsHere },
        services: checking.read,
        llm: llmOf(config),
        processes: () => listProcesses(stores.presence, now()),
        ...systemOperations(parts),
      };
    },
    stop: async () => {
      ending.abort();
      await Promise.all(running);
    },
  };
}

function vitalsHere() {
  const { heapUsed, heapTotal } = process.memoryUsage();
  return { uptime: process.uptime(), heapUsed, heapTotal };
}

async function factsOf({ config, analyst }: MonitorParts, since: string): Promise<Omit<ProcessFacts, 'loopDelayMs'>> {
  const { heapUsed, heapTotal, rss } = process.memoryUsage();
  const idle = { lastSuccessAt: null, lastFailureAt: null, failure: null, asked: 0, fellBack: 0, coolingDown: false };
  return {
    role: config.ROLE,
    host: hostname(),
    pid: process.pid,
    since,
    version: version(),
    heapUsed,
    heapTotal,
    rss,
    analyst: analyst && { ...llmOf(config), ...(analyst.calls?.() ?? idle) },
    disk: await diskOf(config.DATA_DIR),
  };
}

/** Read models older than this are reported, ms: sockets and pages show outdated data. */
const LATE_MS = 30_000;

/** The accounts, the log and the source of socket updates: what would be a hosted service elsewhere. */
async function checkOwn(
  { store, readModels, checkLog }: MonitorParts['stores'],
  now: () => string,
): Promise<ServiceFinding> {
  const [log, sessions, lag] = await Promise.allSettled([
    checkLog(),
    readModels.get('sessions', 'nobody'),
    measureServedLag({ store, readModels, projections: READ_MODELS }, Date.parse(now())),
  ]);
  const isLate = lag.status === 'fulfilled' && (!lag.value.served || lag.value.ageMs > LATE_MS);
  const statusOf = (part: PromiseSettledResult<unknown>): string => (part.status === 'fulfilled' ? 'up' : 'down');
  const detail = `auth ${statusOf(sessions)}, event store ${statusOf(log)}, realtime ${lag.status === 'fulfilled' && isLate ? 'behind' : statusOf(lag)}`;
  const isDown = [log, sessions, lag].some(({ status }) => status === 'rejected');
  return { status: isDown ? 'down' : isLate ? 'degraded' : 'up', detail };
}

const MINUTE_MS = 60_000;

/** Reads the provider's latest event, which is free of charge and changes nothing. */
async function checkPayments({ payments }: MonitorParts, now: () => string): Promise<ServiceFinding> {
  if (!payments) return { status: 'not_configured', detail: null };
  const since = new Date(Date.parse(now()) - MINUTE_MS).toISOString();
  for await (const _ of payments.eventsSince(since)) break;
  return { status: 'up', detail: null };
}
