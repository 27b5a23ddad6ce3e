/** Data of the admin's system page. */
import * as z from 'zod';
import { ACTIVE_WINDOW, LLM_PROVIDERS, SERVICE_STATUSES } from '../../../model/system.ts';
import { JobStatus } from '../jobs.ts';
import { Cursor, PageLimit } from '../paging.ts';

const count = z.number().int();

export const ServiceView = z.object({
  status: z.enum(SERVICE_STATUSES),
  /** Null before the first check. */
  checked_at: z.string().nullable(),
  latency_ms: z.number().nullable(),
  detail: z.string().nullable(),
});
export type ServiceView = z.infer<typeof ServiceView>;

export const LlmProviderView = z.object({
  status: z.enum(SERVICE_STATUSES),
  model: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_failure_at: z.string().nullable(),
  detail: z.string().nullable(),
  /** Share of recent texts that the built-in analyst had to write, 0 to 1; null if none were requested. */
  fallback_rate: z.number().nullable(),
});
export type LlmProviderView = z.infer<typeof LlmProviderView>;

export const MonitoringQuery = z.object({
  /** Minutes. */
  window: z.coerce
    .number()
    .int()
    .min(1, `It must be from 1 to ${ACTIVE_WINDOW.max}`)
    .max(ACTIVE_WINDOW.max, `It must be from 1 to ${ACTIVE_WINDOW.max}`)
    .optional(),
});

export const MonitoringView = z.object({
  activeUsers: z.object({
    count,
    /** Minutes. */
    timeWindow: count,
    /** The latest, at most 100. */
    users: z.array(z.object({ auth_user_id: z.string(), email: z.string(), display_name: z.string() })),
  }),
  activeJobs: z.object({
    total: count,
    byStatus: z.partialRecord(JobStatus, count),
    /** The newest, at most 100. */
    jobs: z.array(
      z.object({
        id: z.string(),
        url: z.string(),
        status: JobStatus,
        userEmail: z.string(),
        userName: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
  systemHealth: z.object({
    /** Seconds. */
    uptime: z.number(),
    /** Bytes. */
    memoryUsage: z.object({ heapUsed: z.number(), heapTotal: z.number() }),
    /** The process that responded. */
    process: z.object({ id: z.string(), role: z.string() }),
  }),
  apiStatus: z.object({
    mcpServer: ServiceView.extend({
      /** Calls in the process that responded, since it started, by tool. */
      tools: z.array(z.object({ tool: z.string(), answered: count, refused: count, failed: count })),
    }),
    supabase: ServiceView,
    stripe: ServiceView.extend({ mode: z.enum(['live', 'test', 'sandbox']).nullable() }),
    llmProviders: z.object({
      current_provider: z.enum(LLM_PROVIDERS),
      providers: z.partialRecord(z.enum(LLM_PROVIDERS), LlmProviderView),
    }),
  }),
});
export type MonitoringView = z.infer<typeof MonitoringView>;
export const MonitoringResponse = z.object({ success: z.literal(true), data: MonitoringView });
export type MonitoringResponse = z.infer<typeof MonitoringResponse>;

export const SystemProblem = z.object({
  cause: z.enum([
    'parked',
    'lag',
    'mails',
    'disk',
    'work',
    'process',
    'backup',
    'log',
    'share_key',
    'mfa_key',
    'pseudonym_key',
    'stores',
    'payments',
    'plans',
    'llm',
  ]),
  text: z.string(),
  /** How to resolve it. */
  todo: z.string(),
});
export type SystemProblem = z.infer<typeof SystemProblem>;

export const ParkedView = z.object({
  model: z.string(),
  document_id: z.string(),
  event_type: z.string(),
  /** Log position of the event. */
  position: z.string(),
  error: z.string(),
  parked_at: z.string(),
});
export type ParkedView = z.infer<typeof ParkedView>;

export const ProcessView = z.object({
  id: z.string(),
  role: z.string(),
  host: z.string(),
  pid: count,
  since: z.string(),
  seen_at: z.string(),
  /** Stopped without shutting down. */
  gone: z.boolean(),
  version: z.string(),
  /** 99th percentile of the event loop delay. */
  loop_delay_ms: z.number(),
  heap_used: z.number(),
  rss: z.number(),
});
export type ProcessView = z.infer<typeof ProcessView>;

export const WorkKindView = z.object({
  kind: z.string(),
  depth: count,
  oldest_seconds: z.number(),
  running: count,
  /** Not retried and not dropped yet. */
  given_up: count,
  /** Of those, in the last 24 hours. */
  given_up_today: count,
});
export type WorkKindView = z.infer<typeof WorkKindView>;

export const SystemView = z.object({
  at: z.string(),
  /** Most urgent first. */
  problems: z.array(SystemProblem),
  processes: z.array(ProcessView),
  projections: z.object({
    /** Age of the oldest event not yet applied. */
    age_seconds: z.number(),
    models: z.array(z.object({ model: z.string(), behind: z.number(), parked: count })),
  }),
  /** The oldest, at most 100. */
  parked: z.object({ total: count, records: z.array(ParkedView) }),
  work: z.array(WorkKindView),
  /** Given up in the last 24 hours. */
  failed_today: z.object({ mails: count, webhooks: count }),
  switches: z.object({
    production: z.boolean(),
    development_mode: z.boolean(),
    demo: z.boolean(),
    payments: z.enum(['live', 'test', 'sandbox', 'off']),
    mail: z.enum(['sent', 'kept', 'none']),
  }),
  version: z.string(),
  disk: z.object({ free: z.number(), total: z.number() }).nullable(),
  backup: z.object({
    kept: z.enum(['here', 'elsewhere']),
    at: z.string().nullable(),
    events: count.nullable(),
    bytes: z.number().nullable(),
  }),
  /**
   * The last full check of the event log for damage. `unsealed`: events without a hash, which do not count as damaged.
   */
  verified: z
    .object({ at: z.string(), events: count, faults: count, unsealed: count, first: z.string().nullable() })
    .nullable(),
});
export type SystemView = z.infer<typeof SystemView>;
export const SystemResponse = z.object({ success: z.literal(true), data: SystemView });
export type SystemResponse = z.infer<typeof SystemResponse>;

export const ParkedRetryRequest = z.object({
  model: z.string().min(1).max(100),
  document_id: z.string().min(1).max(1_000),
});
export type ParkedRetryRequest = z.infer<typeof ParkedRetryRequest>;
/** `pending`: the retry has not been processed yet. */
export const ParkedRetryResponse = z.object({
  success: z.literal(true),
  outcome: z.enum(['applied', 'still_parked', 'pending']),
  error: z.string().nullable(),
});
export type ParkedRetryResponse = z.infer<typeof ParkedRetryResponse>;

/** Default: audits. */
export const WorkQuery = z.object({
  kind: z.string().min(1).max(100).optional(),
  limit: PageLimit,
  cursor: Cursor,
});
export const WorkItemView = z.object({
  kind: z.string(),
  item_id: z.string(),
  /** The queue lane it counts toward, usually a user id. */
  lane: z.string(),
  opened_at: z.string(),
  due_at: z.string(),
  /** Failed attempts. */
  attempts: count,
  failure: z.string().nullable(),
  running: z.boolean(),
});
export type WorkItemView = z.infer<typeof WorkItemView>;
export const WorkItemsResponse = z.object({
  success: z.literal(true),
  items: z.array(WorkItemView),
  cursor: z.string().nullable(),
});
export type WorkItemsResponse = z.infer<typeof WorkItemsResponse>;

export const WorkItemRequest = z.object({
  kind: z.string().min(1).max(100),
  item_id: z.string().min(1).max(200),
});
export type WorkItemRequest = z.infer<typeof WorkItemRequest>;
export const DoneResponse = z.object({ success: z.literal(true) });

export const FailedMailView = z.object({
  id: z.string(),
  email: z.string().nullable(),
  kind: z.string(),
  reason: z.string(),
  failed_at: z.string(),
  /** Why it cannot be sent again, in a sentence; null if it can. */
  not_resendable: z.string().nullable(),
});
export type FailedMailView = z.infer<typeof FailedMailView>;
export const SystemMailsResponse = z.object({
  success: z.literal(true),
  /** The newest in the outbox; null if emails are not kept. */
  outbox: z.array(z.object({ to: z.string(), subject: z.string(), at: z.string() })).nullable(),
  /** The newest that could not be delivered. */
  failed: z.array(FailedMailView),
});
export type SystemMailsResponse = z.infer<typeof SystemMailsResponse>;
export const ResendMailRequest = z.object({
  mail_id: z
    .string()
    .min(1)
    .max(200)
    .refine((id) => !/[\p{Cc}\p{Cs}]/u.test(id)),
});
export type ResendMailRequest = z.infer<typeof ResendMailRequest>;

export const FailedDeliveryView = z.object({
  id: z.string(),
  /** Its host only: the rest may hold credentials. Null: it was removed. */
  url: z.string().nullable(),
  email: z.string().nullable(),
  event: z.string(),
  tries: count,
  error: z.string().nullable(),
  failed_at: z.string(),
});
export type FailedDeliveryView = z.infer<typeof FailedDeliveryView>;
export const SystemWebhooksResponse = z.object({ success: z.literal(true), failed: z.array(FailedDeliveryView) });
export type SystemWebhooksResponse = z.infer<typeof SystemWebhooksResponse>;
