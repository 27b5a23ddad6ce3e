/**
 * What admins see of the installation itself. Provided by the composition root, the only place that knows all its
 * parts.
 */
import type { CommandContext } from '../../commands/context.ts';
import type { LlmProvider, ServiceStatus } from '../../model/system.ts';
import type { ParkedRecord } from '../../readModels/readModels.ts';

export type CheckedService = {
  readonly status: ServiceStatus;
  readonly detail: string | null;
  /** Null before the first check. */
  readonly checkedAt: string | null;
  readonly latencyMs: number | null;
};

/** A process of the installation, as it last reported itself. */
export type SeenProcess = {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
  readonly version: string;
  readonly loopDelayMs: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly rss: number;
  /** About texts it requested from a model; null in a process that requests none. */
  readonly analyst: {
    readonly provider: LlmProvider;
    readonly model: string | null;
    readonly lastSuccessAt: string | null;
    readonly lastFailureAt: string | null;
    readonly failure: string | null;
    readonly asked: number;
    readonly fellBack: number;
    readonly coolingDown: boolean;
  } | null;
  readonly disk: { readonly free: number; readonly total: number } | null;
  readonly seenAt: string;
  /** Stopped without shutting down properly. */
  readonly gone: boolean;
};

/**
 * `first`: location and description of the first fault. `unsealed`: events without a hash, written by an older version
 * running next to a newer one.
 */
export type VerifiedLog = {
  readonly at: string;
  readonly events: number;
  readonly faults: number;
  readonly unsealed: number;
  readonly first: string | null;
};

export type LastBackup = { readonly at: string; readonly events: number; readonly bytes: number };

export type SystemState = {
  /** When it was reported, UTC ISO. */
  readonly at: string;
  readonly projections: {
    readonly served: boolean;
    readonly ageMs: number;
    readonly behind: Readonly<Record<string, number>>;
  };
  readonly parked: {
    readonly total: number;
    readonly first: ParkedRecord | null;
    /** The oldest ones, if there are very many. */
    readonly records: readonly ParkedRecord[];
    /** Number per model. */
    readonly models: Readonly<Record<string, number>>;
  };
  readonly work: readonly {
    readonly kind: string;
    readonly depth: number;
    /** Age of the item due first; 0 if there is none. */
    readonly oldestSeconds: number;
    readonly running: number;
    /** Given-up items that nobody has retried or dropped; of them, those of the last 24 hours. */
    readonly givenUp: number;
    readonly givenUpToday: number;
  }[];
  readonly processes: readonly SeenProcess[];
  /** `refusedToday`: those among `failedToday` whose address no server accepts. */
  readonly mails: { readonly failedToday: number; readonly refusedToday: number };
  readonly webhooks: { readonly failedToday: number };
  readonly disk: { readonly free: number; readonly total: number } | null;
  /** Null if there was never one. `elsewhere`: the log's own server has its own backups. */
  readonly backup: LastBackup | null | 'elsewhere';
  /** The last full check of the log for damage; null before the first. */
  readonly verified: VerifiedLog | null;
  /** Users whose plan is of a product that is none of the plans. */
  readonly unknownPlans: number;
  /**
   * Keys that open links, second factors, or the pseudonyms of earlier exports were not made with. `source`: the setting
   * or file of the present one.
   */
  readonly lostKeys?: readonly {
    readonly key: 'shares' | 'second_factors' | 'pseudonyms';
    readonly source: string;
  }[];
};

type ServiceState = Pick<CheckedService, 'status' | 'detail'>;
/** Known to processes that serve pages. `llm`: the chosen author of the texts. */
export type SystemServices = {
  readonly supabase: CheckedService;
  readonly stripe: CheckedService;
  readonly llm: ServiceState;
};

/** A problem and its remedy, one sentence each. */
export type SystemProblem = {
  readonly cause:
    | 'parked'
    | 'lag'
    | 'mails'
    | 'disk'
    | 'work'
    | 'process'
    | 'backup'
    | 'log'
    | 'share_key'
    | 'mfa_key'
    | 'pseudonym_key'
    | 'stores'
    | 'payments'
    | 'plans'
    | 'llm';
  readonly text: string;
  readonly todo: string;
};

/** One item of work with what was recorded about its attempts. */
export type WorkItemRow = {
  readonly kind: string;
  readonly itemId: string;
  readonly lane: string;
  readonly openedAt: string;
  readonly dueAt: string;
  readonly attempts: number;
  readonly failure: string | null;
  readonly held: boolean;
};

/** An email in the outbox of an installation without a mail server. */
export type WaitingMail = { readonly to: string; readonly subject: string; readonly at: string };

export type SystemDeps = {
  /** The responding process. */
  readonly here: {
    readonly id: string;
    readonly role: string;
    vitals(): { readonly uptime: number; readonly heapUsed: number; readonly heapTotal: number };
  };
  /** From the latest background checks; makes no requests. */
  services(): { readonly supabase: CheckedService; readonly stripe: CheckedService };
  readonly llm: { readonly provider: LlmProvider; readonly model: string | null };
  processes(): Promise<readonly SeenProcess[]>;
  state(): Promise<SystemState>;
  problemsOf(state: SystemState, services: SystemServices): readonly SystemProblem[];
  readonly work: {
    readonly kinds: readonly string[];
    list(query: {
      readonly kind: string;
      readonly limit: number;
      readonly cursor?: string;
    }): Promise<{ readonly rows: readonly WorkItemRow[]; readonly cursor: string | null }>;
    /** @throws DomainError NO_SUCH_WORK */
    retry(ctx: CommandContext, item: { readonly kind: string; readonly itemId: string }): Promise<void>;
    /** @throws DomainError NO_SUCH_WORK, WORK_ALREADY_OVER, or the reason why the subject cannot be ended */
    drop(ctx: CommandContext, item: { readonly kind: string; readonly itemId: string }): Promise<void>;
  };
  /** The newest emails kept instead of being sent; null if emails are not kept. */
  outbox(): Promise<readonly WaitingMail[]> | null;
};
