/** Users request work, processes and stores get faults, everything settles, and the outcome of the work is checked. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Arena, ArenaOptions } from '../arena.ts';
import { createRandom, type Random } from '../random.ts';
import { type Broken, checkWork, type WorkFacts, type WorkVerdict } from './checkWork.ts';
import { type Calm, type FreePlaces, freePlaces, type Places } from './freePlaces.ts';
import { type OutsideOptions, type OutsideWorld, openOutsideWorld } from './outsideWorld.ts';
import { startSampler } from './samplePlaces.ts';
import { openWitness } from './witness.ts';
import { listDifferences, reservationsEnded } from './workFold.ts';
import type { WorkView } from './workLog.ts';
import { createNemesisOfWork, type Harm } from './workNemesis.ts';
import { type Acknowledged, createWorkUser, nothingAcknowledged, type WorkUser } from './workUser.ts';

export type WorkRunOptions = {
  readonly open: (options: ArenaOptions) => Promise<Arena>;
  readonly seed: number;
  /** The number of audits queued before the first fault; one user has most of them. */
  readonly backlog: number;
  readonly kills: number;
  readonly users?: number;
  /** How long users continue if there are no faults, ms. Default 0. */
  readonly undisturbedMs?: number;
  /** How long everything may take to settle, ms. Default two minutes, and 0.6 s for each audit of the backlog. */
  readonly restMs?: number;
  /** It ends earlier if nothing was written for this long, ms. Default: it does not. */
  readonly quietMs?: number;
  /** The longest pause of a user between two actions, ms. Default 1,500. */
  readonly thinkingMs?: number;
  /** How long a user waits for the mail that confirms its address, ms. Default half a minute. */
  readonly mailMs?: number | undefined;
  /** Whether users have webhooks. Default: yes. */
  readonly webhooks?: boolean;
  readonly outside?: OutsideOptions;
  readonly server?: string | undefined;
  readonly onHarm?: (harm: Harm, replies: { readonly kills: number; readonly acknowledged: number }) => void;
};

export type WorkResult = WorkVerdict & {
  readonly kills: number;
  readonly pauses: number;
  readonly rebuilds: number;
  /** How often the list was compared with the log during the run. */
  readonly compared: number;
  readonly replies: Acknowledged;
  readonly places: FreePlaces;
  /** From the last fault until nothing was pending, ms; null: that never happened. */
  readonly restedAfterMs: number | null;
  /** The data of the verdict, and the output of the processes, for a run with faults. */
  readonly facts: Pick<WorkFacts, 'record' | 'mails' | 'deliveries' | 'broken'> & {
    readonly view: WorkView | null;
    readonly calm: readonly Calm[];
    readonly output: string;
  };
};

/** Settings that the verdict relies on. */
const AUDITS_AT_ONCE = 4;
const PLACES: Places = {
  audit: { all: AUDITS_AT_ONCE, ofLane: 2, kept: 1 },
  mail: { all: 4, ofLane: 2 },
  webhook: { all: 32, ofLane: 4 },
};
/** The share of one user in the backlog. */
const SHARE_OF_ONE = 0.8;
/**
 * The interval of requests whether all work is done, and the pause after looking at the files, which can end a process,
 * ms.
 */
const REST_LOOK_MS = 500;
const DEAR_LOOK_MS = 3_000;
/** The length of the process output to show if a run is aborted. */
const SAID = 20_000;

export async function runWorkTorture(options: WorkRunOptions): Promise<WorkResult> {
  const {
    open,
    seed,
    undisturbedMs = 0,
    restMs = 120_000 + 600 * options.backlog,
    quietMs = restMs,
    server,
    outside,
  } = options;
  const random = createRandom(seed);
  const world = await openOutsideWorld(random.fork(1), outside);
  const env = { ...world.env, AUDIT_PARALLEL: String(AUDITS_AT_ONCE) };
  const arena = await open({ allowance: 100_000, server, env, hosts: world.hosts }).catch(async (error: unknown) => {
    await world.close();
    throw error;
  });
  const witness = openWitness(arena);
  try {
    const replies = nothingAcknowledged();
    const users = createUsers(options, { arena, world, random, replies });
    await submitBacklog(users, options.backlog);

    const nemesis = createNemesisOfWork({ arena, witness, random: random.fork(2), kills: options.kills });
    const sampler = arena.coordination && startSampler(arena.coordination, PLACES, nemesis.isCalm);
    const hurt = nemesis.run((harm) =>
      options.onHarm?.(harm, { kills: nemesis.kills(), acknowledged: replies.acknowledged }),
    );
    await untilHurt(users, hurt, { random: random.fork(3), thinkingMs: options.thinkingMs ?? 1_500, undisturbedMs });
    const from = Date.now();
    const ready = await arena.ready().then(
      () => [],
      (error: unknown) => [String(error)],
    );
    nemesis.calmAgain();
    const rested = await untilRest({ arena, users, restMs, quietMs, between: nemesis.between });
    nemesis.end();
    const sampled = await sampler?.stop();
    const { faults: ofStores } = await arena.finish();
    const view = rested.view;
    const record = view ? witness.record(view) : [];
    const places = sampled ?? freePlaces(record, world.mails, nemesis.calm(), PLACES);
    const broken: readonly Broken[] = nemesis.broken();
    const verdict = view
      ? checkWork({ view, record, mails: world.mails, deliveries: world.deliveries, broken, replies, places })
      : nothingRead;
    return {
      ...verdict,
      faults: [...nemesis.faults(), ...ready, ...rested.faults, ...verdict.faults, ...ofStores],
      kills: nemesis.kills(),
      pauses: nemesis.pauses(),
      rebuilds: nemesis.rebuilds(),
      compared: nemesis.compared(),
      replies,
      places,
      restedAfterMs: rested.faults.length > 0 ? null : Date.now() - from,
      facts: {
        view,
        record,
        mails: world.mails,
        deliveries: world.deliveries,
        broken,
        calm: nemesis.calm(),
        output: arena.output(),
      },
    };
  } catch (error) {
    throw new Error(`${arena.name} said: ${arena.output().slice(-SAID)}`, { cause: error });
  } finally {
    await witness.stop();
    await arena.close();
    await world.close();
  }
}

const nothingRead: WorkVerdict = { faults: ['the log and the list could not be read'], figures: checkWorkOfNothing() };

function checkWorkOfNothing(): WorkVerdict['figures'] {
  const none = { longest: [], judgedMs: 0 };
  const replies = {
    jobs: new Set<string>(),
    cancelled: new Set<string>(),
    deleted: new Set<string>(),
    accountsGone: new Set<string>(),
  };
  return checkWork({
    view: { log: [], items: [], upTo: '' },
    record: [],
    mails: [],
    deliveries: [],
    broken: [],
    replies,
    places: none,
  }).figures;
}

type Stage = {
  readonly arena: Arena;
  readonly world: OutsideWorld;
  readonly random: Random;
  readonly replies: Acknowledged;
};

function createUsers(
  { users: count = 20, mailMs, webhooks = true }: WorkRunOptions,
  { arena, world, random, replies }: Stage,
): readonly WorkUser[] {
  let last = 0;
  return Array.from({ length: count }, (_, number) =>
    createWorkUser({
      name: `user-${number}`,
      number,
      urls: arena.urls,
      site: arena.site,
      world,
      replies,
      random: random.fork(100 + number),
      nextNumber: () => (last += 1),
      keepsAccount: number === 0,
      mailMs,
      webhooks,
    }),
  );
}

async function submitBacklog(users: readonly WorkUser[], backlog: number): Promise<void> {
  const [first, ...others] = users;
  // The first account is the admin.
  await first?.enter();
  for (let from = 0; from < others.length; from += 4)
    await Promise.all(others.slice(from, from + 4).map((user) => user.enter()));
  const ofOne = others.length === 0 ? backlog : Math.round(backlog * SHARE_OF_ONE);
  await Promise.all([
    first?.submit(ofOne),
    ...others.map((user, index) =>
      user.submit(Math.floor((backlog - ofOne) / others.length) + (index < (backlog - ofOne) % others.length ? 1 : 0)),
    ),
  ]);
}

type Pace = { readonly random: Random; readonly thinkingMs: number; readonly undisturbedMs: number };

/** Users continue until the last fault. */
async function untilHurt(
  users: readonly WorkUser[],
  hurt: Promise<void>,
  { random, thinkingMs, undisturbedMs }: Pace,
): Promise<void> {
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const working = users.map(async (user, index) => {
    const luck = random.fork(index);
    while (!over.signal.aborted) {
      await user.turn();
      await wait(luck.between(0, thinkingMs), undefined, { signal: over.signal }).catch(() => undefined);
    }
  });
  hurt.catch(() => undefined);
  try {
    await Promise.race([Promise.all([hurt, wait(undisturbedMs)]), Promise.all(working)]);
  } finally {
    over.abort();
  }
  await Promise.all(working);
}

type Resting = {
  readonly arena: Arena;
  readonly users: readonly WorkUser[];
  readonly restMs: number;
  readonly quietMs: number;
  readonly between: (look: () => Promise<WorkView | null>) => Promise<WorkView | null>;
};

/** Whether nothing has been written for that long. */
function silence(arena: Arena, quietMs: number): () => Promise<boolean> {
  let [events, since] = [-1, Date.now()];
  return async () => {
    const { length } = (await arena.readLog()).log;
    if (length !== events) [events, since] = [length, Date.now()];
    return Date.now() - since > quietMs;
  };
}

type Rest = { readonly view: WorkView | null; readonly faults: readonly string[] };

/**
 * Waits until no job is in progress, nothing is pending and nothing more is written, or the time is up: the effects of
 * an end are not items of work before their follower has run. `between` inspects the files where that requires ending
 * the process, which is idle then.
 */
async function untilRest({ arena, users, restMs, quietMs, between }: Resting): Promise<Rest> {
  const end = Date.now() + restMs;
  const hasStopped = quietMs < restMs ? silence(arena, quietMs) : async () => false;
  let view: WorkView | null = null;
  let written = -1;
  let wasIdle = false;
  for (;;) {
    const underWay = (await Promise.all(users.map((user) => user.underWay()))).reduce((sum, count) => sum + count, 0);
    const isLate = Date.now() > end || (await hasStopped());
    // Ending the process at once would interrupt the mails and deliveries of the last job to end, which are only
    // retried a minute later.
    const looks = (underWay === 0 && wasIdle) || isLate;
    wasIdle = underWay === 0;
    if (looks) view = (await between(arena.readWork)) ?? view;
    const isQuiet = arena.peek !== undefined || view?.log.length === written;
    if (view && underWay === 0 && isQuiet && isSettled(view)) return { view, faults: [] };
    if (isLate)
      return {
        view,
        faults: [
          `no rest after ${Date.now() - end + restMs} ms: ${underWay} jobs under way, ${view?.items.length ?? 'an unknown number of'} items listed`,
        ],
      };
    written = looks && view ? view.log.length : -1;
    await wait(looks && arena.targets.length > 0 ? DEAR_LOOK_MS : REST_LOOK_MS);
  }
}

const isSettled = (view: WorkView): boolean =>
  view.items.length === 0 && listDifferences(view).length === 0 && reservationsEnded(view.log);
