/**
 * What the composition root passes to the HTTP layer. Nothing in src/http reads the clock, the environment or a
 * configuration file itself.
 */
import type { Logger } from 'pino';
import type { MfaKeys } from '../../commands/secondFactor/mfaKeys.ts';
import type { LiveFeed } from '../../domain/job/liveFeed.ts';
import type { LiveProgress } from '../../domain/job/liveProgress.ts';
import type { ActionItem } from '../../domain/plan/events.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { Sso } from '../../integrations/sso/sso.ts';
import type { Finding, RunScope } from '../../model/findings.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';
import type { Money } from '../../model/purchase.ts';
import type { PreviewCard } from '../../model/shares.ts';
import type { Claims } from '../../readModels/claims.ts';
import type { Presence } from '../../readModels/presence.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { Pseudonyms } from '../../reports/events/pseudonyms.ts';
import type { ReportRuns } from '../../reports/reportRuns.ts';
import type { CheckView } from '../contract/checks.ts';
import type { SampleView } from '../contract/sample.ts';
import type { EventExportLimits } from '../request/eventExportLimits.ts';
import type { RateLimits } from '../request/rateLimits.ts';
import type { InstallationMeasure, Metrics, WorkMeasure } from '../usage/metrics.ts';
import type { ReportOpenings } from '../usage/reportOpenings.ts';
import type { SecurityLog } from '../usage/securityLog.ts';
import type { ShareVisits } from '../usage/shareVisits.ts';
import type { Tallies } from '../usage/tallies.ts';
import type { UserPresence } from '../usage/userPresence.ts';
import type { Mcp } from './mcp.ts';
import type { SystemDeps } from './system.ts';

export type HttpConfig = {
  readonly version: string;
  /** Public URL, such as `https://seo.example.com`; used for links, the CSP and the socket's origin check. */
  readonly appUrl: string;
  readonly production: boolean;
  /** Shows the DEV MODE badge. */
  readonly developmentMode: boolean;
  readonly demoSite: string | null;
  readonly analystLabel: string;
  readonly supportEmail: string;
  /** Whether emails are sent or kept at all, such as those for password resets. */
  readonly mail: boolean;
  /** Emails are kept in a folder instead of being sent. */
  readonly mailIsKept: boolean;
  /** Since when accounts must prove their addresses here. Absent or null: no account is older. */
  readonly proofsSince?: string | null;
  /** Address of the demo admin, if there is one. */
  readonly demoAdmin?: string | null;
  /** Trust X-Forwarded-For (or Forwarded) and X-Forwarded-Proto from the single proxy in front. */
  readonly trustProxy: boolean;
  readonly freeAnalysesPerMonth: number;
  /** Every account has unlimited audits and sees everything; no screen mentions money. */
  readonly unlimited: boolean;
  /** Price of one report, taken from the funds. */
  readonly reportPrice: Money | null;
  /** Limits per job; a request may ask for fewer pages, never for more. */
  readonly bounds: { readonly maxPages: number; readonly maxMs: number };
  readonly adminEmail: string | null;
  /** Whether admins need a second factor to administer. */
  readonly adminMfa: boolean;
  /** Folder of the built web app; null to serve only the API. */
  readonly webDir: string | null;
  /** Grants access to /metrics and the details of /readyz from other machines. */
  readonly metricsToken: string | null;
  readonly rateLimits: RateLimits;
  /** Whether assistants are served. */
  readonly mcp: boolean;
  /** How long a response waits for a worker's result, in ms. */
  readonly reworkWaitMs: number;
};

export type Readiness = {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail?: string }>>;
};

/** The network that a submission comes from, as it may be stored (`src/http/jobs/submitterNetwork.ts`); null: none. */
export type NetworkOf = (address: string, now: string) => Promise<string | null>;

type Health = {
  /** Whether the stores respond and the projections keep up. */
  ready(): Promise<Readiness>;
  /** How far each read model is behind the log, in events. */
  lag(): Promise<Readonly<Record<string, number>>>;
};

/** `source`: the requesting network. Each has its own queue, so that none can block the others. */
type PasswordCheck = {
  hash(password: string, source: string): Promise<string>;
  /** False for a null hash, after the time of a real comparison. */
  verify(hash: string | null, password: string, source: string): Promise<boolean>;
};

export type Sharing = {
  /** The secret that tokens of shared links are derived from. Never logged. */
  readonly secret: string;
  readonly visits: ShareVisits;
  /** A PNG of 1200 × 630. */
  readonly drawPreview: (card: PreviewCard) => Promise<Uint8Array>;
};

export type NormalizeUrl = (text: string) =>
  | { readonly ok: true; readonly url: string; readonly host: string; readonly schemeGuessed?: true }
  | {
      readonly ok: false;
      readonly error: string;
      /** A web address, but not of the public internet. */
      readonly isBlocked?: true;
    };

type RunFinding = Omit<Finding, 'code'>;

/** Compares audits of one site. */
export type RunComparison = {
  /** The earlier audit first. Rejects with a one-line error if a text is invalid. */
  compare(
    before: string,
    after: string,
  ): Promise<{
    readonly new: readonly RunFinding[];
    readonly fixed: readonly RunFinding[];
    readonly remaining: readonly RunFinding[];
    readonly notSeenBefore: readonly (RunFinding & { readonly because: string })[];
    readonly notComparable: readonly (RunFinding & { readonly because: string })[];
    readonly score: { readonly before: number; readonly after: number; readonly change: number } | null;
    readonly scoreNotComparable: string | null;
    readonly notIdentical: string | null;
    readonly titles: ReadonlyMap<string, string>;
  }>;
  /** For many audits: why their score cannot be compared with the reference's; null if it can. */
  scoreComparer(reference: RunScope | null): (other: RunScope | null) => string | null;
  /** From a stored `findings.json`; null if it cannot be read. */
  readScope(findings: string): RunScope | null;
};

/** Derived from stored reports. */
export type Reports = {
  /** All checks, by id. */
  readonly checks: () => Promise<readonly CheckView[]>;
  /** Checks that concern the whole site. */
  readonly siteChecks: () => Promise<ReadonlySet<string>>;
  /**
   * The report from a stored `findings.json`, without the fixes of findings outside `open`; null if the file cannot be
   * read.
   */
  readonly previewReport: (findings: string, open: ReadonlySet<string>) => Promise<string | null>;
  /**
   * What a model would be asked about an audit with a valid prompt, from its stored `findings.json`; null if that
   * cannot be read. `data` is null if there is nothing to ask about.
   */
  readonly promptPreview: (
    prompt: Prompt,
    findings: string,
    items: readonly ActionItem[],
  ) => Promise<{ readonly system: string; readonly data: string | null; readonly tokens: number } | null>;
  /** Content of `action-items.md`. */
  readonly itemsFile: (items: readonly ActionItem[]) => string;
};

type MailTexts = { readonly subject: string; readonly content: string };

/** Templates of email sequences. */
export type SequenceTexts = {
  /** Errors that prevent sending; empty if there are none. */
  readonly faults: (
    texts: MailTexts,
  ) => readonly { readonly field: keyof MailTexts; readonly line: number; readonly message: string }[];
  /** Rendered for a sample user. */
  readonly preview: (texts: MailTexts) => { readonly subject: string; readonly text: string; readonly html: string };
};

export type HttpDeps = {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  /** Which process holds which work, and what was recorded about its attempts. */
  readonly claims: Pick<Claims, 'read'>;
  /** Absent: submissions have no network. */
  readonly networkOf?: NetworkOf;
  /** How far running audits are, in whatever process; absent if nothing reports it. */
  readonly liveProgress?: LiveProgress;
  /** What they read last, in whatever process; absent if nothing reports it. */
  readonly liveFeed?: Pick<LiveFeed, 'read'>;
  /** UTC ISO. */
  readonly now: () => string;
  /** UUID. */
  readonly newId: () => string;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  readonly passwords: PasswordCheck;
  readonly log: Logger;
  readonly securityLog: SecurityLog;
  readonly config: HttpConfig;
  /** Normalizes what a user typed: adds the scheme, and rejects anything that is not a public web address. */
  readonly normalizeUrl: NormalizeUrl;
  /** Created by the build; absent when run from source. */
  readonly sample?: SampleView | undefined;
  /** For a webhook: requires https and rejects addresses inside the network. */
  readonly vetWebhookUrl: (
    text: string,
  ) => { readonly ok: true; readonly url: string } | { readonly ok: false; readonly error: string };
  readonly runs: RunComparison;
  readonly reports: Reports;
  readonly sequenceTexts: SequenceTexts;
  /** Reports over the whole log. */
  readonly reportRuns: ReportRuns;
  /** Null if nothing is sold. */
  readonly payments: Payments | null;
  readonly health: Health;
  readonly metrics: Metrics;
  /** If absent, `/metrics` has no figures about work. */
  readonly work?: { measure(): Promise<WorkMeasure> };
  /** If absent, `/metrics` has no figures about the installation. */
  readonly installation?: { measure(): Promise<InstallationMeasure> };
  readonly sharing: Sharing;
  /** Notified whenever an owner views a report. */
  readonly reportOpenings: Pick<ReportOpenings, 'note'>;
  /** Notified of what comes before a purchase, and of refused log-ins. */
  readonly tallies: Pick<Tallies, 'note'>;
  /** If absent or null, there is no single sign-on. */
  readonly sso?: Sso | null;
  /** If null, two-factor authentication cannot be turned on. */
  readonly mfaKeys: MfaKeys | null;
  /** Of anonymized exports. If null, no events can be exported over HTTP. */
  readonly pseudonyms: Pseudonyms | null;
  /** Default: `EVENT_EXPORT_LIMITS`. */
  readonly eventExportLimits?: Partial<EventExportLimits>;
  readonly presence: Pick<Presence, 'note' | 'get' | 'list' | 'count' | 'forget'>;
  /** Notified of every active user. */
  readonly userPresence: UserPresence;
  readonly system: SystemDeps;
  readonly mcp: Mcp;
};

/** The dependencies of the health and metrics endpoints. */
export type ProbeDeps = Pick<HttpDeps, 'health' | 'metrics' | 'work' | 'installation' | 'log'> & {
  readonly config: Pick<HttpConfig, 'metricsToken'>;
};
