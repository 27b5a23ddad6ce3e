/**
 * Whether everything that a start finds is of the same installation: its log, its read models, the file that names it,
 * the record of its last backup, and the keys in its settings. 'Nothing there' is not 'new': where anything names an
 * installation, a missing log is a loss.
 */

import { randomUUID } from 'node:crypto';
import { type CommandContext, contextOf } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { handle, loadState } from '../../commands/handle.ts';
import { accountStream } from '../../domain/account/events.ts';
import { IDENTITY_STREAM, INSTALLATION_KEYS, type InstallationKey } from '../../domain/installation/events.ts';
import { type IdentityState, identityDecider } from '../../domain/installation/identity.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import { type EventStore, EventStoreError, START } from '../../eventStore/eventStore.ts';
import { type KnownAccount, UNNAMED } from '../../readModels/identity.ts';
import type { Config } from '../config.ts';
import { keyFingerprint } from './keyFingerprint.ts';
import type { Place } from './places.ts';

/** One line: what disagrees, and what to do. */
export class InstallationMismatch extends EventStoreError {
  constructor(message: string) {
    super('INSTALLATION_MISMATCH', message);
  }
}

/** Keys from the settings, by what they are for. */
export type GivenKeys = Readonly<Partial<Record<InstallationKey, string>>>;

export type KeySettings = { readonly SHARE_SECRET?: string | undefined; readonly MFA_SECRET?: string | undefined };

const SETTING_OF = { shares: 'SHARE_SECRET', second_factors: 'MFA_SECRET' } as const satisfies Readonly<
  Record<InstallationKey, keyof KeySettings & keyof Config>
>;

const FOLLOWS: Readonly<Record<InstallationKey, string>> = {
  shares: 'links made before then keep working, but are listed without their address',
  second_factors: 'second factors set up before then cannot be checked',
};

export function givenKeys(config: KeySettings): GivenKeys {
  return Object.fromEntries(
    INSTALLATION_KEYS.flatMap((key) => (config[SETTING_OF[key]] === undefined ? [] : [[key, config[SETTING_OF[key]]]])),
  );
}

/** What the log says of its installation. `id`: null if it holds no event. */
export type Logged = { readonly id: string | null; readonly fingerprints: IdentityState['fingerprints'] };

export const EMPTY_LOG: Logged = { id: null, fingerprints: identityDecider.initialState().fingerprints };

/**
 * A log from before identities has the one that follows from its first event: an older copy of it, and every process
 * that reads it, arrive at the same one. The event's id is random.
 */
export async function readLogged(store: Pick<EventStore, 'read' | 'readAll'>): Promise<Logged> {
  const { state } = await loadState(store as EventStore, identityDecider, IDENTITY_STREAM);
  if (state.installationId !== null) return { id: state.installationId, fingerprints: state.fingerprints };
  for (let after = START; ; ) {
    const page = await store.readAll({ after, limit: 1 });
    const [first] = page.events;
    if (first) return { id: derivedId(first.id, 'installation'), fingerprints: state.fingerprints };
    if (page.end) return EMPTY_LOG;
    after = page.next;
  }
}

/**
 * Whether the log has the account of a document. One whose events were erased counts: only this installation knows its
 * stream.
 */
export async function hasAccount(
  store: Pick<EventStore, 'read'>,
  { userId, createdAt }: KnownAccount,
): Promise<boolean> {
  const read = await store.read(accountStream(userId), { limit: 1 });
  if (read.status !== 'found') return read.status === 'deleted';
  const [first] = read.events;
  return first === undefined || !isOf(first, 'AccountRegistered') || first.data.registeredAt === createdAt;
}

export type Settling = {
  /** As it is called in a refusal. */
  readonly logName: string;
  readonly logged: () => Promise<Logged>;
  /** As `hasAccount`, of a log that holds an event. */
  readonly hasAccount: (account: KnownAccount) => Promise<boolean>;
  readonly places: readonly Place[];
  readonly keys: GivenKeys;
  /** The identity that the operator gives up. */
  readonly beginAnew: string | undefined;
  /** By a server; other programs leave everything where it is. */
  readonly isStart: boolean;
};

export type Cleared = {
  readonly logged: Logged;
  /** What the operator has given up now. */
  readonly gaveUp: string | null;
  /** The same, if it is the log's own identity. */
  readonly replaces: string | null;
  /** Read models that were moved aside, since they are of another copy of the log. */
  readonly outdated: readonly string[];
};

/** Each of them is settled at most once; more means that something cannot be moved. */
const MOST_ROUNDS = 10;

/**
 * Nothing names another installation than the log, or what does has been given up and moved aside. Writes nothing to
 * the log, so that each step can be repeated after an interruption. @throws InstallationMismatch
 */
export async function clearIdentity(settling: Settling): Promise<Cleared> {
  const { places, beginAnew, isStart } = settling;
  for (let round = 0; ; round += 1) {
    const { logged, conflict, outdated } = await look(settling);
    if (conflict === null) {
      if (isStart) for (const place of outdated) await place.moveAside(UNNAMED);
      return {
        logged,
        gaveUp: round === 0 ? null : (beginAnew ?? null),
        replaces: null,
        outdated: isStart ? outdated.map(({ name }) => name) : [],
      };
    }
    if (beginAnew !== conflict.id || round > MOST_ROUNDS) throw new InstallationMismatch(conflict.text);
    for (const place of places) await place.moveAside(conflict.id);
    if (conflict.isOfLog) return { logged, gaveUp: conflict.id, replaces: conflict.id, outdated: [] };
  }
}

type Conflict = { readonly id: string; readonly text: string; readonly isOfLog: boolean };

type Look = { readonly logged: Logged; readonly conflict: Conflict | null; readonly outdated: readonly Place[] };

async function look({ logName, logged: readLog, places, keys, ...settling }: Settling): Promise<Look> {
  // Before the log: a process that starts at the same time writes to the log first.
  const named = await Promise.all(places.map(async (place) => ({ place, name: place.name, id: await place.read() })));
  const logged = await readLog();
  const unnamed = logged.id === null ? [] : named.filter(({ id }) => id === UNNAMED).map(({ place }) => place);
  const origins = new Map<Place, UnnamedOrigin>();
  for (const place of unnamed) origins.set(place, await originOf(place, settling.hasAccount));
  const others = named.filter(
    ({ place, id }) => id !== null && id !== logged.id && (origins.get(place) ?? 'elsewhere') === 'elsewhere',
  );
  const outdated = unnamed.filter((place) => origins.get(place) === 'another_copy');
  const id = (others.find((other) => other.id !== UNNAMED) ?? others[0])?.id ?? null;
  if (id === null) return { logged, conflict: foreignKey(logged, keys), outdated };
  const where = others.filter((other) => other.id === id).map(({ name }) => name);
  return { logged, conflict: { id, text: refusalOf({ logName, logged, where, id }), isOfLog: false }, outdated };
}

type UnnamedOrigin = 'this_log' | 'another_copy' | 'elsewhere';

/**
 * Of read models from before identities, which are asked once: what their first start leaves is named. Their accounts
 * tell, since the id of an account is random: building all of them again instead would keep a large installation
 * waiting at its upgrade. Without an account there is nothing to protect.
 */
async function originOf({ accounts }: Place, has: Settling['hasAccount']): Promise<UnnamedOrigin> {
  const known = accounts ? await accounts() : [];
  const found: boolean[] = [];
  for (const account of known) found.push(await has(account));
  if (found.every((each) => each)) return 'this_log';
  return found.some((each) => each) ? 'another_copy' : 'elsewhere';
}

function refusalOf({
  logName,
  logged,
  where,
  id,
}: {
  readonly logName: string;
  readonly logged: Logged;
  readonly where: readonly string[];
  readonly id: string;
}) {
  const unnamed = logged.id === null ? 'an installation that was in use' : 'another installation';
  const named = `${listed(where)} ${where.length === 1 ? 'belongs' : 'belong'} to ${id === UNNAMED ? unnamed : `the installation ${id}`}`;
  const anew = `start once with BEGIN_ANEW=${id} (read models are then moved aside, not deleted)`;
  if (logged.id === null)
    return `The event log is missing: ${logName} is missing or empty, but ${named}. Restore the log (docs/operations.md). To start over without it, ${anew}.`;
  return (
    `${logName} is the event log of the installation ${logged.id}, but ${named}. ` +
    `Put back what belongs together (docs/operations.md). To go on with this log and give the other up, ${anew}.`
  );
}

/** A key in the settings that is none of those that the log knows. */
function foreignKey({ id, fingerprints }: Logged, keys: GivenKeys): Conflict | null {
  if (id === null) return null;
  for (const key of INSTALLATION_KEYS) {
    const secret = keys[key];
    const known = fingerprints[key];
    if (secret === undefined || known.length === 0 || known.includes(keyFingerprint(secret, id, key))) continue;
    const text =
      `${SETTING_OF[key]} is not the key that the installation ${id} has been run with. Set the former one again. ` +
      `If it is lost or was replaced on purpose, start once with BEGIN_ANEW=${id}: the read models are then moved aside and built again, and ${FOLLOWS[key]}.`;
    return { id, text, isOfLog: true };
  }
  return null;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * The log's identity, written there now if it has none, and the keys given as settings noted beside it. Several
 * processes that do this at once agree on what the first of them wrote. @throws InstallationMismatch, the store's
 * errors
 */
export async function writeIdentity(
  store: EventStore,
  { logged, replaces }: Cleared,
  keys: GivenKeys,
  now: () => string,
): Promise<string> {
  const context = contextAt(store, now);
  const installationId = replaces === null ? (logged.id ?? randomUUID()) : randomUUID();
  const { state } = await handle(context, identityDecider, IDENTITY_STREAM, {
    type: 'Identify',
    installationId,
    instead: replaces,
    at: now(),
  });
  const id = state.installationId ?? installationId;
  for (const key of INSTALLATION_KEYS) {
    const secret = keys[key];
    if (secret === undefined) continue;
    const { fingerprints } = await recordKey(context, { id, key, secret, isFirst: true });
    const foreign = foreignKey({ id, fingerprints }, { [key]: secret });
    if (foreign) throw new InstallationMismatch(foreign.text);
  }
  return id;
}

/** So that keys are recognized that have been in use beside others, or in the place of a lost one. */
export async function recordKeys(store: EventStore, id: string, keys: GivenKeys, now: () => string): Promise<void> {
  for (const key of INSTALLATION_KEYS) {
    const secret = keys[key];
    if (secret !== undefined) await recordKey(contextAt(store, now), { id, key, secret, isFirst: false });
  }
}

async function recordKey(
  context: CommandContext,
  {
    id,
    key,
    secret,
    isFirst,
  }: { readonly id: string; readonly key: InstallationKey; readonly secret: string; readonly isFirst: boolean },
): Promise<IdentityState> {
  const command = {
    type: 'RecordKey',
    key,
    fingerprint: keyFingerprint(secret, id, key),
    isFirst,
    at: context.now(),
  } as const;
  return (await handle(context, identityDecider, IDENTITY_STREAM, command)).state;
}

const contextAt = (store: EventStore, now: () => string): CommandContext =>
  contextOf({ store, now, commandId: randomUUID(), actor: { kind: 'system', id: 'start' } }, null);
