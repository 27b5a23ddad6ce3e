/**
 * Injects faults into one process after another: kills or stops and restarts it, or pauses it for a while. Only the
 * seed decides the next fault.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from './arena.ts';
import type { Random } from './random.ts';

export type Hurt = {
  readonly target: string;
  readonly how: 'killed' | 'stopped' | 'paused';
  readonly ms: number;
  /** Processes that did not end or restart properly. */
  readonly faults: readonly string[];
};

export type Nemesis = {
  /** One fault, from beginning to end. */
  strike(): Promise<Hurt>;
};

/** Long enough for requests to time out, but too short for peers to consider the process dead. */
const PAUSE_MS = [300, 6_000] as const;
const AWAY_MS = [0, 1_500] as const;
const PROJECTOR = /^projector /;

export function createNemesis(targets: readonly Target[], random: Random): Nemesis {
  return {
    async strike() {
      // Often a projector: while nobody leads, clients are answered by read models that are behind.
      const projectors = targets.filter(({ name }) => PROJECTOR.test(name));
      const chosen = projectors.length > 0 && random.chance(0.3) ? projectors : targets;
      const target = chosen[random.between(0, chosen.length - 1)];
      if (!target) throw new Error('There is nothing to hurt.');
      const luck = random.next();
      const how = luck < 0.45 ? 'paused' : luck < 0.6 && target.stop ? 'stopped' : 'killed';
      const [least, most] = how === 'paused' ? PAUSE_MS : AWAY_MS;
      const ms = random.between(least, most);
      const faults: string[] = [];
      if (how === 'paused') target.pause();
      else if (how === 'stopped') faults.push(...((await target.stop?.()) ?? []));
      else await target.kill();
      await wait(ms);
      if (how === 'paused') target.resume();
      else await target.start().catch((error: unknown) => faults.push(String(error)));
      return { target: target.name, how, ms, faults };
    },
  };
}
