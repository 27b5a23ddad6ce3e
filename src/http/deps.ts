/** What the HTTP side is given by the composition root. Nothing in src/http reads a clock, an environment or a file of configuration by itself. */
import type { Logger } from 'pino';
import type { MfaKeys } from '../commands/secondFactor/mfaKeys.ts';
import type { LiveProgress } from '../domain/job/liveProgress.ts';
import type { ActionItem } from '../domain/plan/events.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import type { Finding, RunScope } from '../model/findings.ts';
import type { Prompt } from '../model/prompts/prompt.ts';
import type { Money } from '../model/purchase.ts';
import type { PreviewCard } from '../model/shares.ts';
import type { Claims } from '../readModels/claims.ts';
import type { Presence } from '../readModels/presence.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { ReportRuns } from '../reports/reportRuns.ts';
import type { UserPresence } from './auth/userPresence.ts';
import type { SampleView } from './contract/sample.ts';
import type { ReportOpenings } from './reports/reportOpenings.ts';
import type { Metrics, WorkMeasure } from './server/metrics.ts';
import type { RateLimits } from './server/rateLimits.ts';
import type { ShareVisits } from './sharing/shareVisits.ts';
import type { SystemDeps } from './system.ts';

export type HttpConfig = {
  readonly version: string;
  /** Public address, e.g. `https://seo.example.com`; links, the CSP and the socket's origin check use it. */
  readonly appUrl: string;
  readonly production: boolean;
  /** Shows the DEV MODE badge. */
  readonly developmentMode: boolean;
  readonly demoSite: string | null;
  readonly analystLabel: string;
  readonly supportEmail: string;
  /** Whether mails go anywhere, such as those for a forgotten password. */
  readonly mail: boolean;
  /** They wait in a folder instead of being sent. */
  readonly mailIsKept: boolean;
  /** Believe X-Forwarded-For and -Proto of the one proxy in front. */
  readonly trustProxy: boolean;
  readonly freeAnalysesPerMonth: number;
  /** Every account analyses without limit and sees everything; no screen speaks of money. */
  readonly unlimited: boolean;
  /** What one report costs, and so takes from the funds. */
  readonly reportPrice: Money | null;
  /** Of one job; a request may ask for fewer pages, never for more. */
  readonly bounds: { readonly maxPages: number; readonly maxMs: number };
  readonly adminEmail: string | null;
  /** Admins need a second factor to administer. */
  readonly adminMfa: boolean;
  /** Folder of the built web app; null serves the API alone. */
  readonly webDir: string | null;
  /** Opens /metrics and the details of /readyz to others than this machine. */
  readonly metricsToken: string | null;
  readonly rateLimits: RateLimits;
  /** How long an answer waits for what a worker does, ms. */
  readonly reworkWaitMs: number;
};

export type Readiness = { readonly ok: boolean; readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail?: string }>> };

type Health = {
  /** Whether the stores answer and the projections keep up. */
  ready(): Promise<Readiness>;
  /** How far each read model is behind the log, in events. */
  lag(): Promise<Readonly<Record<string, number>>>;
};

/** `source`: the network that asks. Each waits in a line of its own, so that no one keeps the others out. */
type PasswordCheck = {
  hash(password: string, source: string): Promise<string>;
  /** False with null, in the time a real comparison takes. */
  verify(hash: string | null, password: string, source: string): Promise<boolean>;
};

export type Sharing = {
  /** From which the tokens of share links follow. Never logged. */
  readonly secret: string;
  readonly visits: ShareVisits;
  /** A PNG of 1200 × 630. */
  readonly drawPreview: (card: PreviewCard) => Promise<Uint8Array>;
};

export type NormalizeUrl = (
  text: string,
) => { readonly ok: true; readonly url: string; readonly host: string; readonly schemeGuessed?: true } | { readonly ok: false; readonly error: string };

type RunFinding = Omit<Finding, 'code'>;

/** Compares runs of one site. */
export type RunComparison = {
  /** The earlier run first. Rejects with an error that says in one line what is wrong with a text. */
  compare(
    before: string,
    after: string,
  ): Promise<{
    readonly new: readonly RunFinding[];
    readonly fixed: readonly RunFinding[];
    readonly remaining: readonly RunFinding[];
    readonly notComparable: readonly (RunFinding & { readonly because: string })[];
    readonly score: { readonly before: number; readonly after: number; readonly change: number } | null;
    readonly scoreNotComparable: string | null;
    readonly titles: ReadonlyMap<string, string>;
  }>;
  /** For many runs: why their score may not stand beside the reference's; null where it may. */
  scoreComparer(reference: RunScope | null): (other: RunScope | null) => string | null;
  /** From a stored `findings.json`; null when it cannot be read. */
  readScope(findings: string): RunScope | null;
};

/** What is made of stored reports. */
export type Reports = {
  /** Checks that look at the site as a whole. */
  readonly siteChecks: () => Promise<ReadonlySet<string>>;
  /** The report without the fixes of findings other than these, from a stored `findings.json`; null when that cannot be read. */
  readonly previewReport: (findings: string, open: ReadonlySet<string>) => Promise<string | null>;
  /**
   * What a model would be asked with a prompt that has no fault about an analysis, from its stored `findings.json`; null when that cannot be read.
   * `data` is null when there is nothing to ask about.
   */
  readonly promptPreview: (
    prompt: Prompt,
    findings: string,
    items: readonly ActionItem[],
  ) => Promise<{ readonly system: string; readonly data: string | null; readonly tokens: number } | null>;
  /** The text of `action-items.md`. */
  readonly itemsFile: (items: readonly ActionItem[]) => string;
};

type MailTexts = { readonly subject: string; readonly content: string };

/** Templates of email sequences. */
export type SequenceTexts = {
  /** What keeps them from being sent; none: nothing. */
  readonly faults: (texts: MailTexts) => readonly { readonly field: keyof MailTexts; readonly line: number; readonly message: string }[];
  /** To a sample user. */
  readonly preview: (texts: MailTexts) => { readonly subject: string; readonly text: string; readonly html: string };
};

export type HttpDeps = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** Who has which work in hand, and what was noted of its tries. */
  readonly claims: Pick<Claims, 'read'>;
  /** Of audits that run in this process; absent where none do. */
  readonly liveProgress?: LiveProgress;
  /** UTC ISO. */
  readonly now: () => string;
  /** UUID. */
  readonly newId: () => string;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  readonly passwords: PasswordCheck;
  readonly log: Logger;
  readonly config: HttpConfig;
  /** Of what a person typed: adds the scheme, refuses what is no web address. */
  readonly normalizeUrl: NormalizeUrl;
  /** Made by the build; absent when run from source. */
  readonly sample?: SampleView | undefined;
  /** Of a webhook: https, and not inside the network. */
  readonly vetWebhookUrl: (text: string) => { readonly ok: true; readonly url: string } | { readonly ok: false; readonly error: string };
  readonly runs: RunComparison;
  readonly reports: Reports;
  readonly sequenceTexts: SequenceTexts;
  /** Reports over the whole log. */
  readonly reportRuns: ReportRuns;
  /** Null: nothing is sold here. */
  readonly payments: Payments | null;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Absent: `/metrics` says nothing of work. */
  readonly work?: { measure(): Promise<WorkMeasure> };
  readonly sharing: Sharing;
  /** Told of every look of an owner at a report. */
  readonly reportOpenings: Pick<ReportOpenings, 'note'>;
  /** Null: nobody can turn two-factor authentication on. */
  readonly mfaKeys: MfaKeys | null;
  readonly presence: Pick<Presence, 'list' | 'count'>;
  /** Told of everybody who uses the product. */
  readonly userPresence: UserPresence;
  readonly system: SystemDeps;
};

/** The part of it that health and metrics need. */
export type ProbeDeps = Pick<HttpDeps, 'health' | 'metrics' | 'work' | 'log'> & { readonly config: Pick<HttpConfig, 'metricsToken'> };
