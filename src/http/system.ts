/** What an admin is told of the installation itself. Given by the composition root, which alone sees all of its parts. */
import type { CommandContext } from '../commands/context.ts';
import type { LlmProvider, ServiceStatus } from '../model/system.ts';
import type { ParkedRecord } from '../readModels/readModels.ts';

export type CheckedService = {
  readonly status: ServiceStatus;
  readonly detail: string | null;
  /** Null before the first check. */
  readonly checkedAt: string | null;
  readonly latencyMs: number | null;
};

/** A process of the installation, as it last described itself. */
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
  /** Of the texts it had written by a model; null in a process that writes none. */
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
  readonly givenUp: Readonly<Record<string, number>>;
  readonly disk: { readonly free: number; readonly total: number } | null;
  readonly seenAt: string;
  /** It stopped without taking its leave. */
  readonly gone: boolean;
};

/** `first`: where the first fault is, and what is wrong. `unsealed`: events without a hash that an earlier version wrote beside a newer one. */
export type VerifiedLog = {
  readonly at: string;
  readonly events: number;
  readonly faults: number;
  readonly unsealed: number;
  readonly first: string | null;
};

export type LastBackup = { readonly at: string; readonly events: number; readonly bytes: number };

export type SystemState = {
  /** When it was told, UTC ISO. */
  readonly at: string;
  readonly projections: { readonly served: boolean; readonly ageMs: number; readonly behind: Readonly<Record<string, number>> };
  readonly parked: {
    readonly total: number;
    readonly first: ParkedRecord | null;
    /** The oldest, not all when there are very many. */
    readonly records: readonly ParkedRecord[];
    /** How many, by model. */
    readonly models: Readonly<Record<string, number>>;
  };
  readonly work: readonly {
    readonly kind: string;
    readonly depth: number;
    /** Age of what is due first; 0 without any. */
    readonly oldestSeconds: number;
    readonly running: number;
    /** Since the processes that are there began. */
    readonly givenUp: number;
  }[];
  readonly processes: readonly SeenProcess[];
  readonly mails: { readonly failedToday: number };
  readonly webhooks: { readonly failedToday: number };
  readonly disk: { readonly free: number; readonly total: number } | null;
  /** Null: never. `elsewhere`: the log's own server is backed up by its own means. */
  readonly backup: LastBackup | null | 'elsewhere';
  /** The last whole pass through the log that looked for damage; null before the first. */
  readonly verified: VerifiedLog | null;
};

/** Something is wrong, and what helps: a sentence each. */
export type SystemProblem = {
  readonly cause: 'parked' | 'lag' | 'mails' | 'disk' | 'work' | 'process' | 'backup' | 'log';
  readonly text: string;
  readonly todo: string;
};

/** One item of work with what was noted of its tries. */
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

/** A mail that waits in the outbox of an installation without a mail server. */
export type WaitingMail = { readonly to: string; readonly subject: string; readonly at: string };

export type SystemDeps = {
  /** The process that answers. */
  readonly here: { readonly id: string; readonly role: string; vitals(): { readonly uptime: number; readonly heapUsed: number; readonly heapTotal: number } };
  /** As they were found in the background; asks nobody. */
  services(): { readonly supabase: CheckedService; readonly stripe: CheckedService };
  readonly llm: { readonly provider: LlmProvider; readonly model: string | null };
  processes(): Promise<readonly SeenProcess[]>;
  state(): Promise<SystemState>;
  problemsOf(state: SystemState): readonly SystemProblem[];
  readonly work: {
    readonly kinds: readonly string[];
    list(query: {
      readonly kind: string;
      readonly limit: number;
      readonly cursor?: string;
    }): Promise<{ readonly rows: readonly WorkItemRow[]; readonly cursor: string | null }>;
    /** @throws DomainError NO_SUCH_WORK */
    retry(ctx: CommandContext, item: { readonly kind: string; readonly itemId: string }): Promise<void>;
    /** @throws DomainError NO_SUCH_WORK, WORK_ALREADY_OVER; or why what an item is about cannot be ended */
    drop(ctx: CommandContext, item: { readonly kind: string; readonly itemId: string }): Promise<void>;
  };
  /** The newest mails that were kept instead of being sent; null where mails are not kept. */
  outbox(): Promise<readonly WaitingMail[]> | null;
};
