/** The dependencies of a process's worker side. */
import type { Logger } from 'pino';
import type { Assess } from '../audit/assessment.ts';
import type { ParsePage } from '../audit/facts/parse/parsePage.ts';
import type { Cause, CommandContext } from '../commands/context.ts';
import type { FollowUp } from '../commands/plan/followUp.ts';
import type { LiveFeed } from '../domain/job/liveFeed.ts';
import type { LiveProgress } from '../domain/job/liveProgress.ts';
import type { Actor } from '../domain/stored/metadata.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import type { Analyst } from '../integrations/analyst/analyst.ts';
import type { Mailer } from '../integrations/mailer/mailer.ts';
import type { Payments } from '../integrations/payments/payments.ts';
import type { Renderer } from '../integrations/renderer/chromiumRenderer.ts';
import type { Claims, Marks } from '../readModels/claims.ts';
import type { Leases } from '../readModels/leases.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { Snapshots } from '../readModels/snapshots.ts';
import type { Alert } from '../work/sweeps/alerts.ts';
import type { Config } from './config.ts';

export type WorkerParts = {
  readonly config: Config;
  readonly log: Logger;
  readonly store: EventStore;
  /** The same log as stored, without upcasts. */
  readonly storedLog: EventStore;
  readonly readModels: ReadModels;
  readonly claims: Claims;
  readonly marks: Marks;
  readonly snapshots: Snapshots;
  /** Null: this is the only process. */
  readonly leases: Leases | null;
  readonly parse: ParsePage;
  /** Where sites are judged; default: in this thread, in slices. */
  readonly assess?: Assess;
  readonly analyst: Analyst;
  readonly followUp: FollowUp;
  /** Null without a browser. Not closed here. */
  readonly renderer: Renderer | null;
  readonly allowHosts: readonly string[];
  /** Null: this installation sends no email. */
  readonly mailer: Mailer | null;
  /** Null: nothing is sold here. */
  readonly payments: Payments | null;
  /** 32 random bytes, base64url. */
  readonly newToken: () => string;
  /** Of a code in an email, as passwords are hashed. */
  readonly hashCode: (code: string) => Promise<string>;
  /** Shown by the processes that serve pages. */
  readonly liveProgress?: LiveProgress;
  readonly liveFeed?: LiveFeed;
  /** Public URL, for the crawler's user agent and the links in emails. */
  readonly appUrl: string;
  readonly context: (actor: Actor, cause: Cause | null) => CommandContext;
  /** UTC ISO. */
  readonly now: () => string;
  /** Problems of the installation, for emails to its operator. */
  readonly problems: () => Promise<readonly Alert[]>;
};
