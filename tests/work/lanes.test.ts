/** The next lane: the same as a scan of every lane would find. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLanes, shareOf } from '../../src/work/lanes.ts';
import { runs } from '../given/fullForm.ts';

type State = { readonly dueAt: string; readonly rank: number };

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

/** The rule: fewest running, then waiting for half a minute, then the higher rank, then the longest wait. */
function plainly(
  lanes: ReadonlyMap<string, State>,
  now: number,
  running: ReadonlyMap<string, number>,
  limit: number,
): readonly string[] {
  const due = [...lanes].filter(([lane, { dueAt }]) => dueAt <= at(now) && (running.get(lane) ?? 0) < limit);
  const fewest = Math.min(...due.map(([lane]) => running.get(lane) ?? 0));
  const equal = due.filter(([lane]) => (running.get(lane) ?? 0) === fewest);
  const longest =
    [...equal].sort(([, a], [, b]) => (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : 0))[0]?.[1].dueAt ?? '';
  if (longest <= at(now - 30)) return equal.filter(([, { dueAt }]) => dueAt === longest).map(([lane]) => lane);
  const top = Math.max(...equal.map(([, { rank }]) => rank));
  const ranked = equal.filter(([, { rank }]) => rank === top);
  const first = ranked.map(([, { dueAt }]) => dueAt).sort()[0];
  return ranked.filter(([, { dueAt }]) => dueAt === first).map(([lane]) => lane);
}

const LANES = ['a', 'b', 'c', 'd', 'e'] as const;
type Lane = (typeof LANES)[number];
const lane = fc.constantFrom(...LANES);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('offer' as const),
    lane,
    seconds: fc.integer({ min: 0, max: 100 }),
    rank: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    kind: fc.constant('correct' as const),
    lane,
    seconds: fc.option(fc.integer({ min: 0, max: 100 })),
    rank: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    kind: fc.constant('next' as const),
    now: fc.integer({ min: 0, max: 120 }),
    running: fc.dictionary(lane, fc.integer({ min: 1, max: 3 })),
    limit: fc.integer({ min: 1, max: 3 }),
  }),
);

describe('lanes', () => {
  it('return what a scan of all lanes would return', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lanes = createLanes();
        const plain = new Map<string, State>();
        for (const each of steps) {
          if (each.kind === 'offer') {
            const known = plain.get(each.lane);
            const state = { dueAt: at(each.seconds), rank: each.rank };
            lanes.offer(each.lane, state);
            plain.set(
              each.lane,
              known
                ? { dueAt: [known.dueAt, state.dueAt].sort()[0] as string, rank: Math.max(known.rank, state.rank) }
                : state,
            );
          } else if (each.kind === 'correct') {
            const state = each.seconds === null ? null : { dueAt: at(each.seconds), rank: each.rank };
            lanes.correct(each.lane, state, lanes.offers());
            if (state) plain.set(each.lane, state);
            else plain.delete(each.lane);
          } else {
            const running = new Map(Object.entries(each.running));
            const expected = plainly(plain, each.now, running, each.limit);
            const found = lanes.next(at(each.now), running, each.limit);
            if (expected.length === 0) expect(found).toBeNull();
            else expect(expected).toContain(found);
          }
          expect(lanes.nextDueAt()).toBe([...plain.values()].map(({ dueAt }) => dueAt).sort()[0] ?? null);
        }
      }),
      { numRuns: runs(1_000), seed: 20261123 },
    );
  });

  it('let nobody wait for a second place behind a steady load of higher rank', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ every: fc.integer({ min: 1, max: 10 }), rank: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 1,
        }),
        (loads) => {
          const lanes = createLanes();
          const running = new Map([['patient', 1], ...loads.map((_, user) => [`power ${user}`, 1] as const)]);
          lanes.offer('patient', { dueAt: at(0), rank: 0 });
          let served = 0;
          // One place becomes free each second. Each of the others has had something new due shortly before.
          const turns = Array.from({ length: 31 }, (_, second) => {
            for (const [user, { every, rank }] of loads.entries())
              lanes.correct(`power ${user}`, { dueAt: at(second - (second % every)), rank }, lanes.offers());
            const turn = lanes.next(at(second), running, 2);
            if (turn === 'patient') served += 1;
            return turn;
          });
          expect(served).toBe(1);
          expect(turns.at(-1)).toBe('patient');
        },
      ),
      { seed: 20261123 },
    );
  });

  it('share free places evenly, use all of them, and give nobody more than the limit', () => {
    fc.assert(
      fc.property(
        fc.record({
          due: fc.dictionary(
            lane,
            fc.record({ seconds: fc.integer({ min: 0, max: 60 }), rank: fc.integer({ min: 0, max: 2 }) }),
          ),
          running: fc.dictionary(lane, fc.integer({ min: 1, max: 4 })),
          except: fc.uniqueArray(lane, { maxLength: 2 }),
          limit: fc.integer({ min: 1, max: 4 }),
          free: fc.integer({ min: 0, max: 12 }),
        }),
        ({ due, running, except, limit, free }) => {
          const lanes = createLanes();
          for (const [each, { seconds, rank }] of Object.entries(due)) lanes.offer(each, { dueAt: at(seconds), rank });
          const places = {
            now: at(30),
            running: new Map(Object.entries(running)),
            limit,
            free,
            except: new Set(except),
          };
          const held = (each: Lane): number => running[each] ?? 0;
          const shares = new Map(LANES.map((each) => [each, shareOf(lanes, each, places)]));
          const share = (each: Lane): number => shares.get(each) ?? 0;
          const open = LANES.filter(
            (each) => !except.includes(each) && (due[each]?.seconds ?? 99) <= 30 && held(each) < limit,
          );
          expect(LANES.filter((each) => share(each) > 0 && !open.includes(each))).toEqual([]);
          expect(LANES.reduce((sum, each) => sum + share(each), 0)).toBe(
            Math.min(
              free,
              open.reduce((sum, each) => sum + limit - held(each), 0),
            ),
          );
          for (const each of open) {
            expect(held(each) + share(each)).toBeLessThanOrEqual(limit);
            // Nobody's last place was taken while another had fewer.
            if (share(each) > 0)
              for (const other of open)
                expect(held(each) + share(each) - 1).toBeLessThanOrEqual(held(other) + share(other));
          }
        },
      ),
      { numRuns: runs(1_000), seed: 20261123 },
    );
  });

  it('keep items offered during a scan', () => {
    const lanes = createLanes();
    lanes.offer('a', { dueAt: at(1), rank: 0 });
    const before = lanes.offers();
    lanes.offer('a', { dueAt: at(2), rank: 0 });
    lanes.correct('a', null, before);
    expect(lanes.next(at(3), new Map(), 1)).toBe('a');
  });

  it('keep little of a lane that is offered and put off again and again', () => {
    const lanes = createLanes();
    for (let seconds = 0; seconds < 10_000; seconds += 1) {
      lanes.offer('a', { dueAt: at(seconds), rank: 0 });
      lanes.correct('a', { dueAt: at(100_000), rank: 0 }, lanes.offers());
    }
    expect(lanes.size()).toBeLessThan(200);
    expect(lanes.nextDueAt()).toBe(at(100_000));
  });

  it('find the next of 100,000 as fast as of a few, when one user is at the limit', () => {
    const lanes = createLanes();
    for (let user = 0; user < 100_000; user += 1) lanes.offer(`user ${user}`, { dueAt: at(user), rank: 0 });
    expect(lanes.next(at(200_000), new Map([['user 0', 2]]), 2)).toBe('user 1');
    for (let user = 1; user < 5_000; user += 1) lanes.correct(`user ${user}`, null, lanes.offers());
    expect(lanes.next(at(200_000), new Map([['user 0', 2]]), 2)).toBe('user 5000');
  });
});
