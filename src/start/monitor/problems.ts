/** Problems of the installation and their remedies: for the admin page, and for alert emails. Pure. */
import type { SystemProblem, SystemServices, SystemState } from '../../http/deps/system.ts';
import type { ServiceStatus } from '../../model/system.ts';
import { WORK_KIND_NAMES } from '../../model/workKinds.ts';
import { WORK_ITEMS } from '../../work/items.ts';
import { FOLLOW_UP } from '../../work/kinds/followUp.ts';

/** How far a read model may lag behind, ms. */
export const LAG_LIMIT_MS = 60_000;
/** Minimum free disk space: this fraction or this many bytes, whichever is less. */
export const DISK_LIMIT = { part: 0.1, bytes: 5 * 1024 ** 3 } as const;
/**
 * This many emails that failed in a day are reported. Refused addresses do not count: one typo by a user is no fault of
 * the installation.
 */
export const FAILED_MAILS_LIMIT = 5;
/** How long work may be overdue, seconds: longer than the back-off for brief outages. */
export const WORK_LIMIT_SECONDS = 30 * 60;
/** A backup older than this is reported, ms. */
export const BACKUP_LIMIT_MS = 7 * 24 * 60 * 60 * 1_000;

type Find = (state: SystemState) => SystemProblem | null;
type FindService = (services: SystemServices, state: SystemState) => SystemProblem | null;

/**
 * Events that a read model or a follower could not take: one of them is enough, since nobody else notices what is
 * missing.
 */
const parked: Find = ({ parked: { total, first, models }, work: kinds }) => {
  const setAside = kinds.find(({ kind }) => kind === FOLLOW_UP)?.depth ?? 0;
  const found: { readonly text: string; readonly todo: string }[] = [];
  if (total > 0) {
    const isWorkMissing = (models[WORK_ITEMS] ?? 0) > 0;
    found.push({
      text: `${counted(total, 'document')} of the read models cannot take an event${first ? `, the first in ${first.model}` : ''}${isWorkMissing ? '; work that such an event asks for is not done' : ''}.`,
      todo: 'Update to a version that can take it, then press Retry under Parked events.',
    });
  }
  if (setAside > 0) {
    found.push({
      text: `${counted(setAside, 'event')} could not be followed up and ${setAside === 1 ? 'is' : 'are'} tried again.`,
      todo: `See ${WORK_KIND_NAMES[FOLLOW_UP]} under Background work for why.`,
    });
  }
  if (found.length === 0) return null;
  return {
    cause: 'parked',
    text: found.map(({ text }) => text).join(' '),
    todo: found.map(({ todo }) => todo).join(' '),
  };
};

const lag: Find = ({ projections: { served, ageMs } }) =>
  served && ageMs <= LAG_LIMIT_MS
    ? null
    : {
        cause: 'lag',
        text: served
          ? `Pages are ${Math.round(ageMs / 1_000)} seconds behind the log.`
          : 'Some read models have not been built yet.',
        todo: 'Check that a process with the role projector (or all) is running, and read its log.',
      };

const mails: Find = ({ mails: { failedToday, refusedToday } }) => {
  const failed = failedToday - refusedToday;
  if (failed < FAILED_MAILS_LIMIT) return null;
  return {
    cause: 'mails',
    text: `${counted(failed, 'email')} could not be delivered in the last 24 hours, not counting refused addresses.`,
    todo: 'See Emails for which ones, and check SMTP_URL and the mail server.',
  };
};

const disk: Find = ({ disk: left }) =>
  left === null || left.free >= Math.min(left.total * DISK_LIMIT.part, DISK_LIMIT.bytes)
    ? null
    : {
        cause: 'disk',
        text: `Only ${Math.floor(left.free / 1024 ** 2)} MB of the disk with the data are left.`,
        todo: 'Free some space or make the volume larger: without space nothing can be written.',
      };

const work: Find = ({ work: kinds }) => {
  const late = kinds.filter(({ oldestSeconds }) => oldestSeconds > WORK_LIMIT_SECONDS);
  if (late.length === 0) return null;
  const names = late.map(({ kind }) => WORK_KIND_NAMES[kind] ?? kind).join(', ');
  return {
    cause: 'work',
    text: `Work has been due for more than half an hour: ${names}.`,
    todo: 'See Background work for why it fails; if nothing runs, start a worker.',
  };
};

const processes: Find = ({ processes: all }) => {
  const gone = all.filter((each) => each.gone);
  if (gone.length === 0) return null;
  const names = gone.map(({ role, host }) => `${role} on ${host}`).join(', ');
  return {
    cause: 'process',
    text: `${counted(gone.length, 'process', 'processes')} stopped without shutting down: ${names}.`,
    todo: 'Read its log, and start it again unless something already has.',
  };
};

const backup: Find = ({ backup: last, at }) =>
  last === 'elsewhere' || (last !== null && Date.parse(at) - Date.parse(last.at) <= BACKUP_LIMIT_MS)
    ? null
    : {
        cause: 'backup',
        text: last === null ? 'The event log has never been backed up.' : 'The last backup is more than a week old.',
        todo: 'Run npm run backup -- --to <folder>, daily, to another disk.',
      };

const damage: Find = ({ verified }) =>
  verified === null || verified.faults === 0
    ? null
    : {
        cause: 'log',
        text: `The event log has ${counted(verified.faults, 'fault')}.${verified.first === null ? '' : ` The first: ${verified.first}`}`,
        todo: 'Keep a copy of the log as it is. Run npm run log -- verify with your last checkpoint, on the log and on backups, to see what was changed and when.',
      };

/** Also said in the log at the start. */
export function lostKeyProblem({ key, source }: NonNullable<SystemState['lostKeys']>[number]): SystemProblem {
  const back = 'Put the former key back (npm run backup copies it to a .keys folder) and restart.';
  if (key === 'shares')
    return {
      cause: 'share_key',
      text: `${source} is not the key that open shared links were made with: they keep working, but are listed without their address.`,
      todo: `${back} If it is lost, users can create new links.`,
    };
  if (key === 'pseudonyms')
    return {
      cause: 'pseudonym_key',
      text: `${source} is not the key that the pseudonyms of earlier exports were made with: later exports do not join with them.`,
      todo: `${back} If it is lost, export again what is to be joined; this is reported for thirty days.`,
    };
  return {
    cause: 'mfa_key',
    text: `${source} is not the key that second factors were set up with: their codes cannot be checked.`,
    todo: `${back} If it is lost: recovery codes work, and npm run admin -- reset-mfa <email>.`,
  };
}

const lostKey =
  (name: NonNullable<SystemState['lostKeys']>[number]['key']): Find =>
  ({ lostKeys = [] }) => {
    const lost = lostKeys.find(({ key }) => key === name);
    return lost ? lostKeyProblem(lost) : null;
  };

/** Read models that are merely behind are the problem `lag`. */
const stores: FindService = ({ supabase: { status, detail } }) =>
  status !== 'down'
    ? null
    : {
        cause: 'stores',
        text: `Accounts or the event store are down${because(detail)}`,
        todo: 'Check that the stores are running and reachable and that their disk has space, and read the log of this process.',
      };

const payments: FindService = ({ stripe: { status, detail, checkedAt } }) =>
  checkedAt === null || !isNotUp(status)
    ? null
    : {
        cause: 'payments',
        text: `The payment provider is ${status}${because(detail)}`,
        todo: 'Check STRIPE_SECRET_KEY and the provider’s status page.',
      };

const plans: Find = ({ unknownPlans }) =>
  unknownPlans === 0
    ? null
    : {
        cause: 'plans',
        text: `${counted(unknownPlans, 'user')} ${unknownPlans === 1 ? 'has' : 'have'} a plan whose product at the payment provider is none of the four plans, and ${unknownPlans === 1 ? 'keeps' : 'keep'} the former tier.`,
        todo: 'See Plans of unknown products in the report Payments at the provider; give the product’s price to a plan in the settings, or move the subscriptions at the provider.',
      };

const llm: FindService = ({ llm: { status, detail } }, { processes: all }) => {
  if (!isNotUp(status)) return null;
  const isAsked = all.some(({ analyst, gone }) => analyst !== null && !gone);
  return {
    cause: 'llm',
    text: `The language model is ${status}${because(detail)}`,
    todo: isAsked
      ? 'Check LLM_BASE_URL, the key and the quota. The built-in analyst writes the texts meanwhile.'
      : 'Start a process with the role worker (or all): without one, no reports are written.',
  };
};

const isNotUp = (status: ServiceStatus): boolean => status === 'degraded' || status === 'down';
/** Ends the sentence; details from elsewhere may have no period. */
const because = (detail: string | null): string =>
  detail === null || detail === '' ? '.' : `: ${detail.replace(/\.$/, '')}.`;

const ALL: readonly Find[] = [
  damage,
  lostKey('second_factors'),
  lostKey('shares'),
  lostKey('pseudonyms'),
  parked,
  lag,
  disk,
  mails,
  work,
  processes,
  plans,
  backup,
];

const SERVICES: readonly FindService[] = [stores, payments, llm];

/** Most urgent first. `services`: null in a process that does not check them. */
export function problemsOf(state: SystemState, services: SystemServices | null = null): readonly SystemProblem[] {
  const down = services === null ? [] : SERVICES.flatMap((find) => find(services, state) ?? []);
  return [...down, ...ALL.flatMap((find) => find(state) ?? [])];
}

const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
