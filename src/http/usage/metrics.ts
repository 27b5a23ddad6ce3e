/** Metrics of the process in the Prometheus text format. Hides the library behind this file. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type RequestFacts = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
};

/** Background work, for `/metrics`. */
export type WorkMeasure = {
  readonly kinds: readonly {
    readonly kind: string;
    /** Pending items in the whole installation. */
    readonly depth: number;
    /** Age of the item due first; 0 if there is none. */
    readonly oldestSeconds: number;
    /** Given-up items that nobody has retried or dropped, in the whole installation. */
    readonly givenUp: number;
    /** This process's own work since its start; null if it does no work. */
    readonly here: {
      readonly running: number;
      readonly tries: number;
      readonly failed: number;
      readonly givenUp: number;
    } | null;
  }[];
  /** Empty in a process that does no work. */
  readonly followers: readonly { readonly follower: string; readonly behind: number; readonly oldestSeconds: number }[];
};

/** The installation as the system page shows it, for `/metrics`. */
export type InstallationMeasure = {
  readonly parked: number;
  /** In the last 24 hours, without refused addresses. */
  readonly failedMails: number;
  readonly disk: { readonly free: number; readonly total: number } | null;
  /** Infinite if there never was one; null if backups are made elsewhere. */
  readonly backupAgeSeconds: number | null;
  /** Users whose plan is of a product that is none of the plans. */
  readonly unknownPlans: number;
};

export type Metrics = {
  observeRequest(facts: RequestFacts): void;
  socketOpened(): void;
  socketClosed(code: number): void;
  /** Outcome of a payment provider event received by webhook. */
  providerEvent(outcome: 'stored' | 'duplicate' | 'unused' | 'refused'): void;
  /** A subscription was read whose status is none that we know. */
  unknownSubscriptionStatus(): void;
  /** Something that tallies count; `known`: it happened to an account. */
  tallied(facts: { readonly what: string; readonly reason: string; readonly known: boolean }): void;
  /** A read model lacked something that is in the log, though it was up to date. */
  missing(): void;
  /** A tool was called by an assistant. */
  toolCalled(tool: string, outcome: 'answered' | 'refused' | 'failed'): void;
  /** Frames sent to sockets. */
  messagesSent(count: number): void;
  readonly contentType: string;
  /** `lag`: of each read model, in events. */
  render(
    lag: Readonly<Record<string, number>>,
    work?: WorkMeasure,
    installation?: InstallationMeasure,
  ): Promise<string>;
  close(): void;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s first byte handled to its answer’s last byte sent',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  new Gauge({
    name: 'event_loop_delay_p99_seconds',
    help: 'Event-loop delay since the last scrape, 99th percentile',
    registers: [registry],
    collect() {
      this.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
  const lagging = new Gauge({
    name: 'projection_lag_events',
    help: 'Events a read model is behind the log',
    labelNames: ['model'],
    registers: [registry],
  });
  const sockets = new Gauge({ name: 'realtime_sockets', help: 'Open websockets', registers: [registry] });
  const closed = new Counter({
    name: 'realtime_sockets_closed_total',
    help: 'Websockets closed, by close code',
    labelNames: ['code'],
    registers: [registry],
  });
  const sent = new Counter({
    name: 'realtime_messages_total',
    help: 'Messages sent to websockets',
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'stripe_webhooks_total',
    help: 'Webhooks of the payment provider, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const tools = new Counter({
    name: 'mcp_tool_calls_total',
    help: 'Calls of tools by assistants, by tool and by what became of them',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  const tallied = new Counter({
    name: 'tallied_total',
    help: 'Refused submissions, opened and left checkouts, tried codes and refused log-ins, with or without an account',
    labelNames: ['what', 'reason', 'account'],
    registers: [registry],
  });
  const missing = new Counter({
    name: 'read_model_missing_total',
    help: 'Look-ups of what is in the log, but not in a read model that is up to date',
    registers: [registry],
  });
  const unknownStatuses = new Counter({
    name: 'stripe_unknown_subscription_status_total',
    help: 'Readings of subscriptions whose status is not known here',
    registers: [registry],
  });
  const showWork = workMetrics(registry);
  const showInstallation = installationMetrics(registry);
  return {
    observeRequest: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    socketOpened: () => sockets.inc(),
    socketClosed: (code) => {
      sockets.dec();
      closed.inc({ code });
    },
    providerEvent: (outcome) => webhooks.inc({ outcome }),
    missing: () => missing.inc(),
    unknownSubscriptionStatus: () => unknownStatuses.inc(),
    toolCalled: (tool, outcome) => tools.inc({ tool, outcome }),
    tallied: ({ what, reason, known }) => tallied.inc({ what, reason, account: known ? 'known' : 'unknown' }),
    messagesSent: (count) => sent.inc(count),
    contentType: registry.contentType,
    render: (lag, work, installation) => {
      for (const [model, events] of Object.entries(lag)) lagging.set({ model }, events);
      if (work) showWork(work);
      if (installation) showInstallation(installation);
      return registry.metrics();
    },
    close: () => {
      delay.disable();
      registry.clear();
    },
  };
}

function installationMetrics(registry: Registry): (measure: InstallationMeasure) => void {
  const registers = [registry];
  const parked = new Gauge({
    name: 'parked_documents',
    help: 'Documents of the read models that cannot take an event',
    registers,
  });
  const failed = new Gauge({
    name: 'mails_failed_today',
    help: 'Emails that failed in the last 24 hours, without refused addresses',
    registers,
  });
  const free = new Gauge({ name: 'data_disk_free_bytes', help: 'Free space of the disk with the data', registers });
  const total = new Gauge({ name: 'data_disk_total_bytes', help: 'Size of the disk with the data', registers });
  const backup = new Gauge({
    name: 'backup_age_seconds',
    help: 'Age of the last backup of the event log; infinite if there is none',
    registers,
  });
  const unknownPlans = new Gauge({
    name: 'stripe_unknown_plans',
    help: 'Users whose plan is of a product that is none of the plans',
    registers,
  });
  // The library starts them at 0, which would look like a full disk or a fresh backup.
  for (const gauge of [parked, failed, free, total, backup, unknownPlans]) gauge.remove();
  return (measure) => {
    parked.set(measure.parked);
    failed.set(measure.failedMails);
    unknownPlans.set(measure.unknownPlans);
    if (measure.disk) {
      free.set(measure.disk.free);
      total.set(measure.disk.total);
    }
    if (measure.backupAgeSeconds !== null) backup.set(measure.backupAgeSeconds);
  };
}

/** Background work by kind, and followers of the log. */
function workMetrics(registry: Registry): (work: WorkMeasure) => void {
  const registers = [registry];
  const ofKind = { labelNames: ['kind'], registers } as const;
  const ofFollower = { labelNames: ['follower'], registers } as const;
  const items = new Gauge({ name: 'work_items', help: 'Items of work that are pending', ...ofKind });
  const oldest = new Gauge({
    name: 'work_oldest_seconds',
    help: 'How long the item of work that is due first has been due',
    ...ofKind,
  });
  const undone = new Gauge({
    name: 'work_given_up',
    help: 'Items of work that were given up, until they are retried or dropped',
    ...ofKind,
  });
  const running = new Gauge({ name: 'work_running', help: 'Items of work in the hands of this process', ...ofKind });
  const counters = {
    tries: new Counter({ name: 'work_tries_total', help: 'Tries that this process began', ...ofKind }),
    failed: new Counter({ name: 'work_failed_total', help: 'Tries that failed and are made again', ...ofKind }),
    givenUp: new Counter({ name: 'work_given_up_total', help: 'Items of work that were given up', ...ofKind }),
  };
  const lag = new Gauge({
    name: 'follower_lag_events',
    help: 'Events a follower is behind the log; on EventStoreDB bytes',
    ...ofFollower,
  });
  const lagSeconds = new Gauge({
    name: 'follower_oldest_seconds',
    help: 'Age of the oldest event that is still to be followed',
    ...ofFollower,
  });
  return ({ kinds, followers }) => {
    // The worker keeps these counts, and restarts from zero when its lease was lost and taken again: a counter reset,
    // as after a restart.
    for (const counter of Object.values(counters)) counter.reset();
    for (const { kind, depth, oldestSeconds, givenUp, here } of kinds) {
      items.set({ kind }, depth);
      undone.set({ kind }, givenUp);
      oldest.set({ kind }, oldestSeconds);
      if (!here) continue;
      running.set({ kind }, here.running);
      counters.tries.inc({ kind }, here.tries);
      counters.failed.inc({ kind }, here.failed);
      counters.givenUp.inc({ kind }, here.givenUp);
    }
    for (const { follower, behind, oldestSeconds } of followers) {
      lag.set({ follower }, behind);
      lagSeconds.set({ follower }, oldestSeconds);
    }
  };
}
