/** The state of the installation, for admins. */
import type { ParkedRecord } from '../../../readModels/readModels.ts';
import type { ParkedView, ProcessView, SystemProblem, SystemView, WorkItemView } from '../../contract/admin/system.ts';
import type { HttpConfig } from '../../deps/deps.ts';
import type { SeenProcess, SystemState, WorkItemRow } from '../../deps/system.ts';

type Around = {
  readonly config: HttpConfig;
  readonly payments: SystemView['switches']['payments'];
  readonly problems: readonly SystemProblem[];
};

export function presentSystem(state: SystemState, { config, payments, problems }: Around): SystemView {
  const { projections, parked, work, mails, webhooks, backup, verified } = state;
  const models = Object.entries(projections.behind).map(([model, behind]) => ({
    model,
    behind,
    parked: parked.models[model] ?? 0,
  }));
  const copy = backup === 'elsewhere' ? null : backup;
  return {
    at: state.at,
    problems: [...problems],
    processes: state.processes.map(presentProcess),
    projections: { age_seconds: Math.round(projections.ageMs / 1_000), models },
    parked: { total: parked.total, records: parked.records.map(presentParked) },
    work: work.map(({ kind, depth, oldestSeconds, running, givenUp, givenUpToday }) => ({
      kind,
      depth,
      running,
      oldest_seconds: Math.round(oldestSeconds),
      given_up: givenUp,
      given_up_today: givenUpToday,
    })),
    failed_today: { mails: mails.failedToday, webhooks: webhooks.failedToday },
    switches: {
      production: config.production,
      development_mode: config.developmentMode,
      demo: config.demoSite !== null,
      payments,
      mail: !config.mail ? 'none' : config.mailIsKept ? 'kept' : 'sent',
    },
    version: config.version,
    disk: state.disk,
    backup: {
      kept: backup === 'elsewhere' ? 'elsewhere' : 'here',
      at: copy?.at ?? null,
      events: copy?.events ?? null,
      bytes: copy?.bytes ?? null,
    },
    verified: verified && {
      at: verified.at,
      events: verified.events,
      faults: verified.faults,
      unsealed: verified.unsealed,
      first: verified.first,
    },
  };
}

function presentParked({ model, documentId, eventType, position, error, parkedAt }: ParkedRecord): ParkedView {
  return { model, document_id: documentId, event_type: eventType, position, error, parked_at: parkedAt };
}

function presentProcess({
  id,
  role,
  host,
  pid,
  since,
  seenAt,
  gone,
  version,
  loopDelayMs,
  heapUsed,
  rss,
}: SeenProcess): ProcessView {
  return {
    id,
    role,
    host,
    pid,
    since,
    seen_at: seenAt,
    gone,
    version,
    loop_delay_ms: loopDelayMs,
    heap_used: heapUsed,
    rss,
  };
}

export function presentWorkItem({
  kind,
  itemId,
  lane,
  openedAt,
  dueAt,
  attempts,
  failure,
  held,
}: WorkItemRow): WorkItemView {
  return { kind, item_id: itemId, lane, opened_at: openedAt, due_at: dueAt, attempts, failure, running: held };
}
