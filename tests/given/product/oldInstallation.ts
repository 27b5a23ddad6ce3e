/** The committed log of an installation of an earlier version (`tests/fixtures/oldInstallation`), opened as a copy. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore, type SqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';

/**
 * `state`: its state by its stream. `owed`: the pending work, `nothing` if nothing may happen. `about`: a description.
 */
type Found<State extends string, Owed extends string> = {
  readonly state: State;
  readonly owed: Owed | 'nothing';
  readonly about: string;
};
type Named<Names extends string, Entry> = Readonly<Record<Names, Entry>>;

type Account = Found<
  'active' | 'deleted' | 'erased' | 'unfinished',
  'end sessions' | 'change address' | 'erase' | 'remove'
> & {
  readonly userId: string;
  readonly email: string;
};
/** `deleted`: its content is still there; `erased`: its content is gone, too. */
type Job = Found<
  'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'deleted' | 'erased',
  'audit' | 'settle' | 'erase' | 'delete crawl' | 'announce' | 'write plan file'
> & { readonly jobId: string; readonly userId: string };
type Mail = Found<'none' | 'prepared' | 'sent' | 'dropped', 'send' | 'drop'> & { readonly mailId: string } & (
    | { readonly kind: 'job_done'; readonly jobId: string }
    | { readonly kind: 'password_changed' | 'password_reset'; readonly userId: string }
  );
type Endpoint = Found<'active' | 'removed' | 'erased', 'erase' | 'truncate secret'> & {
  readonly endpointId: string;
  readonly userId: string;
};
type Delivery = Found<
  'none' | 'waiting' | 'delivered' | 'failed' | 'forgotten',
  'try' | 'queue' | 'forget' | 'erase'
> & {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly userId: string;
  /** The id of its job, or of the job of its item. */
  readonly jobId: string;
};
type Session = Found<'active' | 'ended', 'end' | 'erase'> & { readonly sessionId: string; readonly userId: string };
type Request = Found<'accepted' | 'answered' | 'deleted', 'delete' | 'erase'> & {
  readonly commandId: string;
  readonly userId: string;
};

type JobOfMails = 'sent' | 'tooOld' | 'prepared' | 'mailGivenUp' | 'refused' | 'unsent';
type JobOfCrashes = 'cancelled' | 'failed' | 'deleted' | 'deletedHalf' | 'unsettled' | 'crawlLeft';
type OpenJob = 'queuedOfAnn' | 'queuedOfBob' | 'queuedOfAdmin' | 'running' | 'openBatchQueued';
type JobOfBatch = 'batchFirst' | 'batchSecond' | 'batchThird' | 'openBatchEnded';
type JobOfWebhooks =
  | 'longAgo'
  | 'hookFailed'
  | 'hookDelivered'
  | 'hookForgotten'
  | 'whileDisabled'
  | 'hookWaiting'
  | 'unannounced';
type SettledMail = 'sent' | 'ofDeleted' | 'ofUnsettled' | 'ofCrawlLeft' | 'ofEmil' | 'refused' | 'notWanted';
type PendingMail = 'prepared' | 'givenUp' | 'unsent' | 'batch' | 'ofDeletedHalf' | 'ofUnannounced' | 'passwordReset';
type NoMail =
  | 'batchFirst'
  | 'batchSecond'
  | 'openBatchEnded'
  | 'tooOld'
  | 'ofCancelled'
  | 'ofFailed'
  | 'passwordChanged';
type WrittenDelivery =
  | 'delivered'
  | 'failed'
  | 'waiting'
  | 'forgotten'
  | 'ofRemovedWhole'
  | 'ofWhileDisabled'
  | 'ofEnabledAgain'
  | 'ofRemovedHalf'
  | 'ofEmil';
type UnwrittenDelivery = 'notTold' | 'toSteady' | 'toEnabledAgain' | 'toRemovedHalf' | 'actionTooOld';

export type OldContents = {
  readonly writtenBy: string;
  readonly lastEventAt: string;
  /** The time at which tests open it, UTC ISO. */
  readonly now: string;
  /** Of every account but Carl's. */
  readonly password: string;
  readonly accounts: Named<'admin' | 'ann' | 'bob' | 'carl' | 'dana' | 'fred' | 'emil' | 'eve', Account>;
  readonly jobs: Named<
    JobOfMails | JobOfCrashes | OpenJob | JobOfBatch | JobOfWebhooks | 'ofFred' | 'ofEmil' | 'secondOfEmil',
    Job
  >;
  readonly reservationWithoutJob: Found<'reserved', 'release'> & { readonly jobId: string; readonly userId: string };
  readonly mails: Named<SettledMail | PendingMail | NoMail, Mail>;
  readonly endpoints: Named<
    'steady' | 'actions' | 'enabledAgain' | 'removedWhole' | 'removedHalf' | 'ofEmil',
    Endpoint
  >;
  readonly deliveries: Named<WrittenDelivery | UnwrittenDelivery, Delivery>;
  readonly sessions: Named<
    'carlKept' | 'carlOpen' | 'carlOpenToo' | 'carlAfter' | 'carlEnded' | 'ofFred' | 'ofEmil',
    Session
  >;
  readonly apiKeys: Named<'ofEmil', Found<'active', 'erase'> & { readonly keyId: string; readonly userId: string }>;
  readonly requests: Named<
    'oldAnswered' | 'oldAccepted' | 'freshAnswered' | 'freshAccepted' | 'ofFred' | 'ofEmil',
    Request
  >;
};

const folder = new URL('../../fixtures/oldInstallation/', import.meta.url);

/** The committed file itself: read only. */
export const OLD_LOG = fileURLToPath(new URL('events.db', folder));

export const oldContents = (): OldContents =>
  JSON.parse(readFileSync(new URL('contents.json', folder), 'utf8')) as OldContents;

export type OldInstallation = {
  readonly store: SqliteEventStore;
  /** The same as it was written. */
  readonly raw: SqliteEventStore;
  readonly contents: OldContents;
  /** The data folder of the copy, as for a server. */
  readonly dataDir: string;
  close(): Promise<void>;
};

/** A copy of the old log, opened. */
export function oldInstallation(): OldInstallation {
  const contents = oldContents();
  const dataDir = mkdtempSync(join(tmpdir(), 'old-installation-'));
  const file = join(dataDir, 'events.db');
  copyFileSync(OLD_LOG, file);
  const raw = openSqliteEventStore({ file });
  const store = withStoredEvents(raw);
  return {
    store,
    raw,
    contents,
    dataDir,
    async close() {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
