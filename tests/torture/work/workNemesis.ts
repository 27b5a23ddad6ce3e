/**
 * Injects faults into a working installation: kills, pauses longer than the heartbeat timeout, deleted read models,
 * rebuilds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Arena, Target } from '../arena.ts';
import type { Random } from '../random.ts';
import type { Broken } from './checkWork.ts';
import type { Calm } from './freePlaces.ts';
import type { Witness } from './witness.ts';
import { listDifferences } from './workFold.ts';
import type { WorkView } from './workLog.ts';

export type Harm = { readonly what: string; readonly ms: number };

export type WorkNemesis = {
  /** All faults, one after another. */
  run(onHarm: (harm: Harm) => void): Promise<void>;
  /** Every process is up and none is paused. */
  isCalm(): boolean;
  /** After all faults, once everything is ready. */
  calmAgain(): void;
  /** Sampling has ended. */
  end(): void;
  /** Inspects the files while the process that owns them is down, if there is one. */
  between(look: () => Promise<WorkView | null>): Promise<WorkView | null>;
  calm(): readonly Calm[];
  broken(): readonly Broken[];
  faults(): readonly string[];
  kills(): number;
  pauses(): number;
  rebuilds(): number;
  compared(): number;
};

type NemesisOptions = {
  readonly arena: Arena;
  readonly witness: Witness;
  readonly random: Random;
  readonly kills: number;
};

/** Of ten kills, one comes before the process is up, and one is followed by a longer quiet period. */
const EARLY = 0.1;
const LONG = 0.12;
const LONG_MS = [5_000, 8_000] as const;
const SHORT_MS = [50, 2_500] as const;
const AWAY_MS = [0, 1_200] as const;
/** Longer than the heartbeat timeout. */
const PAUSE_MS = [10_000, 13_000] as const;
/** For a single process, whose work nobody can take over. */
const SHORT_PAUSE_MS = [300, 3_000] as const;
/** After this many kills, the list is compared with the log, and something is paused. */
const COMPARE_EVERY = 10;
const PAUSE_EVERY = 10;
const LOOKS = 5;
const RETRY_MS = 1_000;

export function createNemesisOfWork(options: NemesisOptions): WorkNemesis {
  const state = openState(options);
  const only = options.arena.coordination ? null : (options.arena.targets[0] ?? null);
  // Its event store, if that is a process of its own.
  const [store] = only ? options.arena.targets.slice(1) : [];
  const { random, kills } = options;
  return {
    async run(onHarm) {
      calmFrom(state);
      for (let kill = 1; kill <= kills && state.faults.length === 0; kill += 1) {
        const [lose, build] = [kill === Math.ceil(kills / 3), kill === Math.ceil((2 * kills) / 3)];
        if (kill % PAUSE_EVERY === 0) onHarm(await pause(state, random));
        if (store && !lose && !build && random.chance(0.5)) onHarm(await killStore(state, store));
        else
          onHarm(
            only ? await killOnly(state, only, { kill, lose: lose || build }) : await killOne(state, { lose, build }),
          );
      }
    },
    isCalm: () => state.calmSince !== null,
    calmAgain: () => calmFrom(state),
    end: () => calmUntil(state, 'paused'),
    between: (look) => (only ? lookBetween(state, only, look) : look()),
    calm: () => state.calm,
    broken: () => state.broken,
    faults: () => state.faults,
    kills: () => state.kills,
    pauses: () => state.pauses,
    rebuilds: () => state.rebuilds,
    compared: () => state.compared,
  };
}

type State = ReturnType<typeof openState>;

function openState({ arena, random, witness }: NemesisOptions) {
  return {
    arena,
    random,
    witness,
    alone: new Set<string>() as ReadonlySet<string>,
    calm: [] as Calm[],
    calmSince: null as number | null,
    broken: [] as Broken[],
    faults: [] as string[],
    kills: 0,
    pauses: 0,
    rebuilds: 0,
    compared: 0,
  };
}

function calmFrom(state: State): void {
  state.calmSince ??= Date.now();
}

function calmUntil(state: State, ends: Calm['ends']): void {
  if (state.calmSince !== null) state.calm.push({ from: state.calmSince, to: Date.now(), ends, alone: state.alone });
  state.calmSince = null;
}

const within = (random: Random, [least, most]: readonly [number, number]): number => random.between(least, most);
const gap = (random: Random): number => within(random, random.chance(LONG) ? LONG_MS : SHORT_MS);

/** Kills and restarts the one process that has the files, which are inspected in between, and sometimes deleted. */
async function killOnly(
  state: State,
  target: Target,
  { kill, lose }: { readonly kill: number; readonly lose: boolean },
): Promise<Harm> {
  const { random, arena } = state;
  const ms = gap(random);
  await wait(ms);
  calmUntil(state, 'killed');
  const from = Date.now();
  await target.kill();
  state.kills += 1;
  if (kill % COMPARE_EVERY === 0) await compare(state, arena.readWork);
  state.alone = await state.witness.look();
  if (lose) await loseAll(state);
  if (random.chance(EARLY)) {
    // Its start fails, and the next one recovers.
    const starting = target.start().catch(() => undefined);
    await wait(random.between(50, 500));
    await target.kill();
    await starting;
    state.kills += 1;
    state.alone = await state.witness.look();
  }
  await comeBack(state, target);
  state.broken.push({ from, to: Date.now() });
  calmFrom(state);
  return { what: lose ? 'the server killed, its read models deleted' : 'the server killed', ms };
}

/** Kills and restarts the event store under a process that goes on. */
async function killStore(state: State, target: Target): Promise<Harm> {
  const { random } = state;
  const ms = gap(random);
  await wait(ms);
  calmUntil(state, 'killed');
  const from = Date.now();
  await target.kill();
  state.kills += 1;
  await wait(within(random, AWAY_MS));
  await comeBack(state, target);
  state.broken.push({ from, to: Date.now() });
  calmFrom(state);
  return { what: `${target.name} killed`, ms };
}

async function comeBack(state: State, target: Target): Promise<void> {
  await target
    .start()
    .then(() => (state.arena.coordination ? undefined : state.arena.ready()))
    .catch((error: unknown) => state.faults.push(`${target.name} did not come back: ${String(error)}`));
}

async function loseAll(state: State): Promise<void> {
  await state.arena.loseReadModels();
  state.alone = new Set();
  state.rebuilds += 1;
}

/**
 * At a moment chosen by the seed, the list matches the pending work of the log. If documents are written before the
 * checkpoint, a list during a write may be ahead of it: there only lasting differences count.
 */
async function compare(state: State, look: () => Promise<WorkView | null>): Promise<void> {
  let differences: readonly string[] | null = null;
  for (let tries = 0; tries < LOOKS && (differences === null || differences.length > 0); tries += 1) {
    if (tries > 0) await wait(RETRY_MS);
    const view = await look().catch(() => null);
    const found = view && listDifferences(view);
    if (found)
      differences = differences === null ? found : found.filter((difference) => differences?.includes(difference));
  }
  if (differences === null) return;
  state.compared += 1;
  if (differences.length > 0)
    state.faults.push(
      `after ${state.kills} kills the list is not what the log leaves pending: ${differences.slice(0, 5).join('; ')}`,
    );
}

/** Workers get most of the faults. */
const WEIGHTS: readonly (readonly [name: RegExp, weight: number])[] = [
  [/^worker/, 5],
  [/^projector/, 2],
  [/^http/, 2],
  [/store\b/, 2],
];
const weightOf = ({ name }: Target): number => WEIGHTS.find(([pattern]) => pattern.test(name))?.[1] ?? 1;

function choose(targets: readonly Target[], random: Random): Target {
  const pool = targets.flatMap((target) => Array.from({ length: weightOf(target) }, () => target));
  const chosen = pool[random.between(0, pool.length - 1)];
  if (!chosen) throw new Error('There is nothing to hurt.');
  return chosen;
}

/** Whether its end may interrupt an attempt. */
const doesWork = ({ name }: Target): boolean => /^worker|store\b|^the server$/.test(name);

async function killOne(
  state: State,
  { lose, build }: { readonly lose: boolean; readonly build: boolean },
): Promise<Harm> {
  const { random, arena } = state;
  const ms = gap(random);
  await wait(ms);
  if (lose || build) await loseOrRebuild(state, lose);
  const target = choose(arena.targets, random);
  calmUntil(state, 'killed');
  const from = Date.now();
  await target.kill();
  state.kills += 1;
  await wait(within(random, AWAY_MS));
  await comeBack(state, target);
  if (doesWork(target)) state.broken.push({ from, to: Date.now() });
  if (state.kills % COMPARE_EVERY === 0) await compare(state, arena.readWork);
  calmFrom(state);
  const also = lose ? ', after the read models were lost' : build ? ', after a rebuild' : '';
  return { what: `${target.name} killed${also}`, ms };
}

async function loseOrRebuild(state: State, lose: boolean): Promise<void> {
  calmUntil(state, 'paused');
  const from = Date.now();
  if (lose) await loseAll(state);
  else {
    state.faults.push(...((await state.arena.rebuild?.()) ?? []));
    state.rebuilds += 1;
  }
  await state.arena.ready().catch((error: unknown) => state.faults.push(`it was not ready again: ${String(error)}`));
  if (lose) state.broken.push({ from, to: Date.now() });
  calmFrom(state);
}

async function pause(state: State, random: Random): Promise<Harm> {
  const { arena } = state;
  const workers = arena.targets.filter(({ name }) => name.startsWith('worker'));
  const target = choose(workers.length > 0 ? workers : arena.targets, random);
  const ms = within(random, workers.length > 0 ? PAUSE_MS : SHORT_PAUSE_MS);
  calmUntil(state, 'paused');
  const from = Date.now();
  target.pause();
  await wait(ms);
  target.resume();
  state.broken.push({ from, to: Date.now() });
  state.pauses += 1;
  calmFrom(state);
  return { what: `${target.name} paused`, ms };
}

async function lookBetween(
  state: State,
  target: Target,
  look: () => Promise<WorkView | null>,
): Promise<WorkView | null> {
  calmUntil(state, 'killed');
  const from = Date.now();
  state.faults.push(...((await target.stop?.()) ?? []));
  state.alone = await state.witness.look();
  const view = await look();
  await comeBack(state, target);
  state.broken.push({ from, to: Date.now() });
  calmFrom(state);
  return view;
}
