/**
 * Processor time per event in each read model, for one user with few and with many sites and the same events: filled
 * from the log, and live, one event after the other.
 */
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection } from '../../src/projections/projection.ts';
import { applyBatch, openLane } from '../../src/projector/projectionLane.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { actionItem } from '../../tests/given/analysis.ts';
import { jobEvents, newEvent } from '../events.ts';
import type { Figure, Row } from '../measure.ts';

const SITES = [10, 200, 1_000] as const;
const JOBS = 1_000;
const LIVE_JOBS = 200;
const BATCH = 200;
const GOAL = 1.5;
const AT = '2026-11-21T09:00:00.000Z';
const USER = 'user-0';

/** A job from its submission to items that were worked on. */
function eventsOf(nth: number, sites: number, place: number): readonly RecordedEvent[] {
  const jobId = `job-${nth}`;
  const host = `site-${nth % sites}.example`;
  const items = Array.from({ length: 12 }, (_, item) => actionItem(`check-${item}`));
  const moves = items.flatMap(({ id: actionId }) => [
    newEvent('ActionStarted', { jobId, actionId, startedAt: AT }),
    newEvent('ActionCompleted', { jobId, actionId, completedAt: AT }),
  ]);
  const events = [
    ...jobEvents(jobId, USER).map((event) =>
      event.type === 'JobSubmitted' ? { ...event, data: { ...event.data, host, url: `https://${host}/` } } : event,
    ),
    newEvent('PlanGenerated', { jobId, userId: USER, by: 'bench', count: items.length, items, generatedAt: AT }),
    ...moves,
  ];
  return events.map((event, at) => ({
    ...event,
    data: event.data as RecordedEvent['data'],
    stream: `job-${jobId}`,
    revision: BigInt(at),
    position: String(place + at + 1).padStart(20, '0'),
  })) as readonly RecordedEvent[];
}

function history(sites: number): { readonly past: readonly RecordedEvent[]; readonly live: readonly RecordedEvent[] } {
  const register = newEvent('AccountRegistered', {
    userId: USER,
    email: 'user@example.com',
    name: 'User',
    passwordHash: 'not used',
    registeredAt: AT,
  });
  const events = [
    {
      ...register,
      stream: 'account-user-0',
      revision: 0n,
      position: '1'.padStart(20, '0'),
    } as unknown as RecordedEvent,
  ];
  let place = 1;
  const jobs = (from: number, to: number): readonly RecordedEvent[] =>
    Array.from({ length: to - from }, (_, nth) => {
      const made = eventsOf(from + nth, sites, place);
      place += made.length;
      return made;
    }).flat();
  return { past: [...events, ...jobs(0, JOBS)], live: jobs(JOBS, JOBS + LIVE_JOBS) };
}

type Cost = { readonly filled: number; readonly live: number };

/** Microseconds of processor time per event. */
async function costOf(projection: AnyProjection, sites: number, file: string): Promise<Cost | null> {
  const { past, live } = history(sites);
  const handles = new Set(projection.handles);
  const [own, then] = [past, live].map((events) => events.filter(({ type }) => handles.has(type)));
  if (!own || !then || own.length < JOBS || then.length === 0) return null;
  const readModels = openSqliteReadModels({ file });
  const lane = await openLane(readModels, projection, 'v1');
  const apply = async (events: readonly RecordedEvent[], size: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let from = 0; from < events.length; from += size) {
      const batch = events.slice(from, from + size);
      await applyBatch(readModels, [lane], { events: batch, upTo: batch.at(-1)?.position ?? '' }, () => AT);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / events.length;
  };
  const cost = { filled: await apply(own, BATCH), live: await apply(then, 1) };
  await readModels.close();
  return cost;
}

/** The best of several rounds, in turns: what disturbs a round only adds time. */
async function costsOf(projection: AnyProjection, rounds: number, dir: string): Promise<ReadonlyMap<number, Cost>> {
  const best = new Map<number, Cost>();
  for (let round = 0; round < rounds; round += 1)
    for (const sites of SITES) {
      const cost = await costOf(projection, sites, join(dir, `${projection.name}-${sites}-${round}.db`));
      if (!cost) return best;
      const known = best.get(sites) ?? cost;
      best.set(sites, { filled: Math.min(known.filled, cost.filled), live: Math.min(known.live, cost.live) });
    }
  return best;
}

export const perEvent: Figure = {
  name: 'perEvent',
  async measure({ rounds, dir, say }) {
    const costs = new Map<string, ReadonlyMap<number, Cost>>();
    for (const projection of READ_MODELS) {
      const measured = await costsOf(projection, Math.min(rounds, 3), dir);
      if (measured.size === 0) continue;
      costs.set(projection.name, measured);
      const shown = [...measured].map(
        ([sites, { filled, live }]) => `${sites} sites ${filled.toFixed(0)} / ${live.toFixed(0)} µs`,
      );
      say(`${projection.name}, filled / live: ${shown.join(', ')}`);
    }
    return SITES.slice(1).flatMap((sites) =>
      (['filled', 'live'] as const).map((how): Row => {
        const ratios = [...costs].map(([model, by]) => ({
          model,
          few: by.get(SITES[0])?.[how] ?? 0,
          many: by.get(sites)?.[how] ?? 0,
        }));
        const worst = ratios.reduce((one, other) => (other.many / other.few > one.many / one.few ? other : one));
        const ratio = worst.many / worst.few;
        return {
          what: `processor time per event, one user with ${sites.toLocaleString('en-US')} sites vs ${SITES[0]}, ${how === 'live' ? 'live' : 'filled from the log'}: the worst of ${costs.size} read models (${worst.model})`,
          ours: `${worst.many.toFixed(0)} µs`,
          limit: `${worst.few.toFixed(0)} µs`,
          ratio,
          goal: `≤ ${GOAL}`,
          met: ratio <= GOAL,
        };
      }),
    );
  },
};
