/** The contract of every adapter of the claims port. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claim, type Claimed, type Claims, NOTHING_NOTED } from '../../src/readModels/claims.ts';
import { runs } from '../given/fullForm.ts';
import { type ClaimsModel, claimsModel } from './claimsModel.ts';

/** `another`: the same store in a second process, if there can be one. */
export type ClaimsHarness = { readonly claims: Claims; another(): Promise<Claims> };

export const at = (position: number): string => String(position).padStart(20, '0');
const audit = (itemId: string, opening = 1, lane = 'ada'): Claimed => ({
  kind: 'audits',
  itemId,
  opening: at(opening),
  lane,
});

type Taking = {
  readonly seen?: Claim | null;
  readonly holder?: string;
  readonly laneLimit?: number;
  readonly running?: number;
};
/** `running` may be wrong. */
const tryTake = (
  claims: Claims,
  item: Claimed,
  { seen = null, holder = 'w1', laneLimit = 100, running = 0 }: Taking = {},
) => claims.take({ item, seen, holder, laneLimit, running });

async function take(claims: Claims, item: Claimed, taking?: Taking): Promise<Claim> {
  const claim = await tryTake(claims, item, taking);
  if (typeof claim === 'string') throw new Error(`${item.itemId} was not to be had: ${claim}`);
  return claim;
}

async function newest(claims: Claims, itemId: string): Promise<Claim> {
  const [claim] = await claims.read('audits', [itemId]);
  if (!claim) throw new Error(`There is no claim on ${itemId}.`);
  return claim;
}

/** `effort`: the share of repeated runs, for a store behind a network. */
export function describeClaims(
  adapter: string,
  open: () => Promise<ClaimsHarness>,
  { effort = 1 }: { readonly effort?: number } = {},
): void {
  describe(`claims on ${adapter}`, () => {
    describeHoldings(open);
    describeContest(open, effort);
    describeKeeping(open);
    describeModel(open, effort);
  });
}

function describeHoldings(open: () => Promise<ClaimsHarness>): void {
  it('is empty before the first claim, and then has it', async () => {
    const { claims } = await open();
    expect(await claims.read('audits', ['a'])).toEqual([]);
    const claim = await take(claims, audit('a'));
    expect(claim).toEqual({ ...audit('a'), ...NOTHING_NOTED, number: 1, holder: 'w1', vanished: false });
    expect(await claims.read('audits', ['a', 'b'])).toEqual([claim]);
    expect(await claims.read('mails', ['a'])).toEqual([]);
    expect(await claims.read('audits', [])).toEqual([]);
  });

  it('stores notes, and returns the last ones', async () => {
    const { claims } = await open();
    const claim = await take(claims, audit('a'));
    expect(await claims.note(claim, { steps: 3 })).toBe(true);
    expect(await newest(claims, 'a')).toEqual({ ...claim, steps: 3 });
    const notes = {
      attempts: 1,
      failure: 'the site was away',
      notBefore: '2026-01-01T00:00:10.000Z',
      settledAt: at(9),
    };
    expect(await claims.letGo(claim, notes)).toBe(true);
    expect(await newest(claims, 'a')).toEqual({ ...claim, steps: 3, ...notes, holder: null });
    expect(await claims.letGo(claim, {})).toBe(false);
    expect(await claims.note(claim, { steps: 4 })).toBe(false);
    expect(await newest(claims, 'a')).toEqual({ ...claim, steps: 3, ...notes, holder: null });
  });

  it('clears a note', async () => {
    const { claims } = await open();
    const claim = await take(claims, audit('a'));
    await claims.note(claim, { failure: 'once', notBefore: '2026-01-01T00:00:10.000Z' });
    await claims.letGo(claim, { failure: null, notBefore: null });
    expect(await newest(claims, 'a')).toMatchObject({ failure: null, notBefore: null });
  });

  it('carries notes over within one opening, and starts fresh with another', async () => {
    const { claims } = await open();
    await claims.letGo(await take(claims, audit('a')), { attempts: 2, failure: 'no', steps: 5 });
    const again = await take(claims, audit('a'), { seen: await newest(claims, 'a'), holder: 'w2' });
    expect(again).toMatchObject({ number: 2, holder: 'w2', attempts: 2, failure: 'no', steps: 5 });
    await claims.letGo(again, { settledAt: at(7) });
    const reopened = await take(claims, audit('a', 8));
    expect(reopened).toEqual({ ...audit('a', 8), ...NOTHING_NOTED, number: 1, holder: 'w1', vanished: false });
    expect(await claims.read('audits', ['a'])).toEqual([reopened]);
    expect(await claims.letGo(again, {})).toBe(false);
    expect(await claims.letGo(reopened, {})).toBe(true);
  });

  it('accepts an opening before the one it knows: the log may have been restored from an older copy', async () => {
    const { claims } = await open();
    await claims.letGo(await take(claims, audit('a', 50)), { attempts: 4 });
    const older = await take(claims, audit('a', 2));
    expect(older).toMatchObject({ opening: at(2), number: 1, attempts: 0 });
    expect(await claims.read('audits', ['a'])).toEqual([older]);
    await claims.letGo(older, { attempts: 1 });
    expect(await newest(claims, 'a')).toMatchObject({ opening: at(2), attempts: 1, holder: null });
  });

  it('accepts only a caller that has seen its newest state', async () => {
    const { claims } = await open();
    const first = await take(claims, audit('a'));
    expect(await tryTake(claims, audit('a'), { holder: 'w2' })).toBe('taken');
    expect(await tryTake(claims, audit('a'), { holder: 'w2', seen: first })).toBe('taken');
    expect(await tryTake(claims, audit('a', 2), { holder: 'w2' })).toBe('taken');
    await claims.letGo(first, {});
    const seen = await newest(claims, 'a');
    expect(await tryTake(claims, audit('a'), { holder: 'w2' })).toBe('taken');
    expect(await tryTake(claims, audit('a'), { holder: 'w2', seen: first })).toBe('taken');
    expect(await tryTake(claims, audit('b'), { holder: 'w2', seen: { ...seen, itemId: 'b' } })).toBe('taken');
    const second = await take(claims, audit('a'), { holder: 'w2', seen });
    await claims.letGo(second, {});
    expect(await tryTake(claims, audit('a'), { holder: 'w3', seen })).toBe('taken');
    expect(await newest(claims, 'a')).toEqual({ ...second, holder: null });
  });

  it('refuses a full lane, counts each kind and lane separately, and frees places again', async () => {
    const { claims } = await open();
    const first = await take(claims, audit('a'), { laneLimit: 2 });
    await take(claims, audit('b'), { laneLimit: 2, holder: 'w2' });
    expect(await tryTake(claims, audit('c'), { laneLimit: 2 })).toBe('lane_full');
    expect(await tryTake(claims, audit('c'), { laneLimit: 0 })).toBe('lane_full');
    expect(await claims.read('audits', ['c'])).toEqual([]);
    await take(claims, audit('d', 1, 'bob'), { laneLimit: 2 });
    await take(claims, { ...audit('c'), kind: 'mails' }, { laneLimit: 1 });
    expect(await claims.running('audits')).toEqual(
      new Map([
        ['ada', 2],
        ['bob', 1],
      ]),
    );
    expect(await claims.running('mails')).toEqual(new Map([['ada', 1]]));
    expect(await claims.running('none')).toEqual(new Map());
    await claims.letGo(first, {});
    await take(claims, audit('c'), { laneLimit: 2 });
    expect([...(await claims.holders())].sort()).toEqual(['w1', 'w2']);
  });

  it('frees the claims of a vanished holder, marks them, and refuses its later calls', async () => {
    const { claims } = await open();
    const lost = await take(claims, audit('a'), { laneLimit: 2 });
    await claims.note(lost, { attempts: 1, steps: 2 });
    await take(claims, audit('b'), { laneLimit: 2 });
    const other = await take(claims, audit('c', 1, 'bob'), { holder: 'w2' });
    expect(await claims.vacate('w1')).toBe(2);
    expect(await claims.vacate('w1')).toBe(0);
    expect(await claims.vacate('nobody')).toBe(0);
    const seen = await newest(claims, 'a');
    expect(seen).toEqual({ ...lost, attempts: 1, steps: 2, holder: null, vanished: true });
    expect(await newest(claims, 'c')).toEqual(other);
    expect(await claims.holders()).toEqual(['w2']);
    expect(await claims.running('audits')).toEqual(new Map([['bob', 1]]));
    expect(await claims.note(lost, { attempts: 9 })).toBe(false);
    expect(await claims.letGo(lost, { attempts: 9 })).toBe(false);
    expect(await newest(claims, 'a')).toEqual(seen);
    const taken = await take(claims, audit('a'), { holder: 'w2', seen, laneLimit: 2 });
    expect(taken).toEqual({ ...lost, number: 2, attempts: 1, steps: 2, holder: 'w2', vanished: true });
    expect(await claims.letGo(lost, { attempts: 9 })).toBe(false);
    expect(await claims.note(taken, { vanishings: 1 })).toBe(true);
    expect(await newest(claims, 'a')).toEqual({ ...taken, vanishings: 1, vanished: false });
    await take(claims, audit('d'), { laneLimit: 2 });
  });

  it('releases in order what had vanished once', async () => {
    const { claims } = await open();
    await take(claims, audit('a'));
    await claims.vacate('w1');
    const again = await take(claims, audit('a'), { seen: await newest(claims, 'a') });
    await claims.letGo(again, {});
    expect(await newest(claims, 'a')).toMatchObject({ holder: null, vanished: false });
    await take(claims, audit('a', 2));
    await claims.vacate('w1');
    expect(await take(claims, audit('a', 3))).toMatchObject({ number: 1, vanished: false });
  });
}

function describeContest(open: () => Promise<ClaimsHarness>, effort: number): void {
  it('is taken by exactly one of many at once, new or known', async () => {
    const { claims, another } = await open();
    const processes = [claims, await another()];
    for (let round = 1; round <= 40 * effort; round += 1) {
      const [seen = null] = await claims.read('audits', ['a']);
      const takers = Array.from({ length: 6 }, (_, n) =>
        tryTake(processes[n % 2] ?? claims, audit('a'), { seen, holder: `${round}-${n}` }),
      );
      const won = (await Promise.all(takers)).filter((claim) => typeof claim !== 'string');
      expect(won).toHaveLength(1);
      expect(won[0]?.number).toBe(round);
      expect(await claims.read('audits', ['a'])).toEqual(won);
      if (won[0])
        await (round % 3 === 0 ? claims.vacate(`${won[0].holder}`) : claims.letGo(won[0], { attempts: round }));
    }
    expect(await claims.running('audits')).toEqual(new Map());
  });

  it('never exceeds the limit of a lane, however many claim at once, and leaks no place', async () => {
    const { claims, another } = await open();
    const processes = [claims, await another()];
    const limit = 3;
    let running = 0;
    let most = 0;
    let done = 0;
    let overlap = (): void => undefined;
    const overlapped = new Promise<void>((resolve) => {
      overlap = resolve;
    });
    const work = async (worker: number): Promise<void> => {
      const own = processes[worker % 2] ?? claims;
      for (let item = 0; item < Math.ceil(12 * effort); item += 1) {
        const claim = await tryTake(own, audit(`${worker}/${item}`), { holder: `w${worker}`, laneLimit: limit });
        if (typeof claim === 'string') {
          expect(claim).toBe('lane_full');
          item -= 1;
          continue;
        }
        running += 1;
        most = Math.max(most, running);
        // However slow the store is, two hold a place at once.
        if (running > 1) overlap();
        await overlapped;
        expect((await own.running('audits')).get('ada')).toBeLessThanOrEqual(limit);
        running -= 1;
        done += 1;
        await (item % 4 === 3 ? own.vacate(`w${worker}`) : own.letGo(claim, {}));
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)));
    expect(done).toBe(6 * Math.ceil(12 * effort));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(limit);
    expect(await claims.running('audits')).toEqual(new Map());
    expect(await claims.holders()).toEqual([]);
    for (let item = 0; item < limit; item += 1) await take(claims, audit(`last-${item}`), { laneLimit: limit });
    expect(await tryTake(claims, audit('last'), { laneLimit: limit })).toBe('lane_full');
  });
}

function describeKeeping(open: () => Promise<ClaimsHarness>): void {
  it('removes claims settled up to a position, of one kind, and nothing else', async () => {
    const { claims } = await open();
    const settle = async (item: Claimed, position: number) =>
      claims.letGo(await take(claims, item), { settledAt: at(position) });
    await settle(audit('a'), 5);
    await settle(audit('b'), 6);
    await settle(audit('c'), 7);
    await settle({ ...audit('a'), kind: 'mails' }, 5);
    await claims.letGo(await take(claims, audit('d')), {});
    await claims.note(await take(claims, audit('e')), { settledAt: at(4) });
    expect(await claims.forgetSettled('audits', at(4))).toBe(0);
    expect(await claims.forgetSettled('audits', at(6))).toBe(2);
    expect(await claims.forgetSettled('audits', at(6))).toBe(0);
    expect((await claims.list({ kind: 'audits', limit: 10 })).map(({ itemId }) => itemId)).toEqual(['c', 'd', 'e']);
    expect(await claims.read('mails', ['a'])).toHaveLength(1);
  });

  it('lists all claims of a kind in pages, each item once', async () => {
    const { claims } = await open();
    const ids = Array.from({ length: 11 }, (_, n) => `item-${String(n).padStart(2, '0')}`);
    for (const [n, id] of ids.entries()) {
      const claim = await take(claims, audit(id, n + 1, `user-${n % 3}`));
      if (n % 2 === 0) await claims.letGo(claim, { attempts: n });
    }
    await take(claims, { ...audit('item-05b'), kind: 'mails' });
    const again = await take(claims, audit('item-04', 5, 'user-1'), {
      seen: await newest(claims, 'item-04'),
      holder: 'w2',
    });
    const seen: Claim[] = [];
    for (;;) {
      const after = seen.at(-1)?.itemId;
      const page = await claims.list({ kind: 'audits', limit: 4, ...(after === undefined ? {} : { after }) });
      expect(page.length).toBeLessThanOrEqual(4);
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen.map(({ itemId }) => itemId)).toEqual(ids);
    expect(seen[4]).toEqual(again);
    expect(await claims.list({ kind: 'none', limit: 4 })).toEqual([]);
  });

  it('removes claims without a holder', async () => {
    const { claims } = await open();
    await claims.letGo(await take(claims, audit('a')), { attempts: 3 });
    await take(claims, audit('b'));
    await claims.letGo(await take(claims, audit('c')), {});
    await claims.remove('audits', ['a', 'b', 'z']);
    await claims.remove('audits', []);
    expect((await claims.list({ kind: 'audits', limit: 10 })).map(({ itemId }) => itemId)).toEqual(['b', 'c']);
    expect(await take(claims, audit('a'))).toMatchObject({ number: 1, attempts: 0 });
  });

  it('separates items, kinds and lanes, whatever is in their names', async () => {
    const { claims } = await open();
    const odd = ['a/1', 'a', '$gt{"a":1}.x', "';--", 'ä ö', '%2F', 'a/00000000000000000002', '0', '~'];
    for (const [n, name] of odd.entries()) {
      await take(
        claims,
        { kind: `k/${name}`, itemId: name, opening: at(1), lane: `lane/${name}` },
        { holder: `h/${name}`, laneLimit: 1 },
      );
      await take(
        claims,
        { kind: 'k', itemId: name, opening: at(n), lane: name },
        { holder: `h/${name}`, laneLimit: 1 },
      );
    }
    expect(new Set((await claims.list({ kind: 'k', limit: 100 })).map(({ itemId }) => itemId))).toEqual(new Set(odd));
    expect(await claims.running('k')).toEqual(new Map(odd.map((name) => [name, 1])));
    expect(new Set(await claims.holders())).toEqual(new Set(odd.map((name) => `h/${name}`)));
    for (const name of odd) {
      expect(await claims.read(`k/${name}`, odd)).toMatchObject([
        { itemId: name, lane: `lane/${name}`, holder: `h/${name}` },
      ]);
      expect(await claims.vacate(`h/${name}`)).toBe(2);
      await claims.remove('k', [name]);
      expect(await claims.read('k', [name])).toEqual([]);
    }
    expect(await claims.list({ kind: 'k', limit: 100 })).toEqual([]);
  });
}

/** The same steps on the store and on a model of it, in memory. */
function describeModel(open: () => Promise<ClaimsHarness>, effort: number): void {
  const item = fc.constantFrom('a', 'b', 'c');
  const holder = fc.constantFrom('w1', 'w2');
  const laneLimit = fc.constantFrom(1, 2, 3);
  const notes = fc.record(
    { attempts: fc.nat(3), settledAt: fc.constantFrom(null, at(3), at(6)), failure: fc.constantFrom(null, 'no') },
    { requiredKeys: [] },
  );
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('take' as const),
        item,
        holder,
        opening: fc.integer({ min: 1, max: 3 }),
        stale: fc.nat(9),
        laneLimit,
        running: fc.nat(2),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('note' as const), which: fc.nat(), notes }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('letGo' as const), which: fc.nat(), notes }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('vacate' as const), holder }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), upTo: fc.integer({ min: 1, max: 7 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), item }) },
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  async function run(claims: Claims | ClaimsModel, steps: readonly Step[]): Promise<readonly unknown[]> {
    const held: Claim[] = [];
    const received: unknown[] = [];
    for (const one of steps) {
      const which = 'which' in one ? held[one.which % Math.max(1, held.length)] : undefined;
      if (one.do === 'take') {
        const [now = null] = await claims.read('audits', [one.item]);
        // Sometimes by a caller that has seen an earlier state.
        const seen = one.stale < 8 ? now : (held.find(({ itemId }) => itemId === one.item) ?? null);
        const lane = one.item === 'c' ? 'bob' : 'ada';
        const { laneLimit, running } = one;
        const claim = await claims.take({
          item: audit(one.item, one.opening, lane),
          seen,
          holder: one.holder,
          laneLimit,
          running,
        });
        if (typeof claim !== 'string') held.push(claim);
        received.push(claim);
      } else if (one.do === 'note' && which) received.push(await claims.note(which, one.notes));
      else if (one.do === 'letGo' && which) received.push(await claims.letGo(which, one.notes));
      else if (one.do === 'vacate') received.push(await claims.vacate(one.holder));
      else if (one.do === 'forget') received.push(await claims.forgetSettled('audits', at(one.upTo)));
      else if (one.do === 'remove') await claims.remove('audits', [one.item]);
      received.push(
        await claims.list({ kind: 'audits', limit: 10 }),
        await claims.running('audits'),
        [...(await claims.holders())].sort(),
      );
    }
    return received;
  }

  it('behaves like a small model of it, step by step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { claims } = await open();
        expect(await run(claims, steps)).toEqual(await run(claimsModel(), steps));
      }),
      { numRuns: Math.ceil(runs(100) * effort) },
    );
  });
}
