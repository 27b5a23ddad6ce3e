/** The contract of every adapter of the snapshots port. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Snapshot, type SnapshotHead, type Snapshots, snapshotPosition } from '../../src/readModels/snapshots.ts';

export type SnapshotsHarness = {
  readonly snapshots: Snapshots;
  /** The same store in a second process, if there can be one. */
  another(): Promise<Snapshots>;
};

const STATE = '{"a":"ä\\n","b":[1,2]}\n["🙂"]\n';

function snapshot(given: Partial<Omit<Snapshot, 'position'>> & { readonly at?: number } = {}): Snapshot {
  const { at = 7, ...rest } = given;
  const head = {
    name: 'bill',
    key: 'billing-ada',
    version: 1,
    position: snapshotPosition(BigInt(at)),
    hash: `hash of ${at}`,
  };
  return { ...head, state: `${STATE}${at}`, ...rest };
}
const headOf = ({ state: _, ...head }: Snapshot): SnapshotHead => head;

async function listed(snapshots: Snapshots, limit: number): Promise<readonly SnapshotHead[]> {
  const all: SnapshotHead[] = [];
  for (let after: SnapshotHead | undefined; ; ) {
    const page = await snapshots.list({ limit, ...(after ? { after } : {}) });
    expect(page.length).toBeLessThanOrEqual(limit);
    all.push(...page);
    after = page.at(-1);
    if (page.length < limit) return all;
  }
}

const byKey = (a: SnapshotHead, b: SnapshotHead): number => `${a.name} ${a.key}`.localeCompare(`${b.name} ${b.key}`);

export function describeSnapshots(adapter: string, open: () => Promise<SnapshotsHarness>): void {
  describe(`snapshots on ${adapter}`, () => {
    describeOne(open);
    describeMany(open);
    describeSize(open);
  });
}

function describeOne(open: () => Promise<SnapshotsHarness>): void {
  it('has none before one is written, and then exactly that, in every process', async () => {
    const { snapshots, another } = await open();
    expect(await snapshots.read(snapshot())).toBeNull();
    expect(await snapshots.write(snapshot())).toBe('written');
    expect(await snapshots.read({ name: 'bill', key: 'billing-ada' })).toEqual(snapshot());
    expect(await (await another()).read(snapshot())).toEqual(snapshot());
  });

  it('only moves forward: neither a repeat nor an older one replaces it', async () => {
    const { snapshots } = await open();
    await snapshots.write(snapshot({ at: 9 }));
    expect(await snapshots.write(snapshot({ at: 9, state: 'another' }))).toBe('known');
    expect(await snapshots.write(snapshot({ at: 8 }))).toBe('known');
    expect(await snapshots.read(snapshot())).toEqual(snapshot({ at: 9 }));
    expect(await snapshots.write(snapshot({ at: 10 }))).toBe('written');
    expect(await snapshots.read(snapshot())).toEqual(snapshot({ at: 10 }));
  });

  it('of a later version replaces one of a later revision, and is not replaced by an earlier version', async () => {
    const { snapshots } = await open();
    await snapshots.write(snapshot({ at: 900, version: 2 }));
    expect(await snapshots.write(snapshot({ at: 3, version: 10 }))).toBe('written');
    expect(await snapshots.write(snapshot({ at: 1_000, version: 2 }))).toBe('known');
    expect(await snapshots.read(snapshot())).toEqual(snapshot({ at: 3, version: 10 }));
  });

  it('is gone once it is removed, and any may be written then', async () => {
    const { snapshots } = await open();
    await snapshots.write(snapshot({ at: 9 }));
    await snapshots.remove(snapshot());
    await snapshots.remove(snapshot());
    expect(await snapshots.read(snapshot())).toBeNull();
    expect(await listed(snapshots, 10)).toEqual([]);
    expect(await snapshots.write(snapshot({ at: 1 }))).toBe('written');
    expect(await snapshots.read(snapshot())).toEqual(snapshot({ at: 1 }));
  });
}

function describeMany(open: () => Promise<SnapshotsHarness>): void {
  it('separates folds and their subjects, whatever is in their names', async () => {
    const { snapshots } = await open();
    const keys = ['a', 'a/b', 'b', '$gt{"a":1}.x', "';--", 'ä ö', '%2F', 'A'];
    const all = ['bill', 'report/revenue'].flatMap((name) => keys.map((key, nth) => snapshot({ name, key, at: nth })));
    for (const one of all) await snapshots.write(one);
    for (const one of all) expect(await snapshots.read(one)).toEqual(one);
    await snapshots.remove({ name: 'bill', key: 'a' });
    expect(await snapshots.read({ name: 'report/revenue', key: 'a' })).not.toBeNull();
    expect(await snapshots.read({ name: 'bill', key: 'a/b' })).not.toBeNull();
  });

  it('lists each once, page by page, without their states', async () => {
    const { snapshots } = await open();
    const all = ['bill', 'report/revenue'].flatMap((name) =>
      ['a', 'a b', 'a/b', 'z', 'ä'].map((key, nth) => snapshot({ name, key, at: nth })),
    );
    for (const one of all) await snapshots.write(one);
    for (const limit of [1, 3, 10, 50])
      expect((await listed(snapshots, limit)).toSorted(byKey)).toEqual(all.map(headOf).toSorted(byKey));
  });

  it('written by several at once is the one with the latest revision', async () => {
    const { snapshots, another } = await open();
    const processes = [snapshots, await another()];
    for (let round = 0; round < 5; round += 1) {
      const place = { key: `billing-${round}` };
      const positions = Array.from({ length: 8 }, (_, nth) => (nth * 5) % 8);
      const answers = await Promise.all(
        positions.map((at, nth) => processes[nth % 2]?.write(snapshot({ ...place, at }))),
      );
      expect(answers[positions.indexOf(7)]).toBe('written');
      expect(await snapshots.read(snapshot(place))).toEqual(snapshot({ ...place, at: 7 }));
    }
  });
}

function describeSize(open: () => Promise<SnapshotsHarness>): void {
  /** Six random bits in each character, so that compression saves no more than that. */
  const textOf = (megabytes: number): string => randomBytes(megabytes * 1_000_000).toString('base64');

  it('stores a large one, and refuses one that is larger than a store accepts', async () => {
    const { snapshots } = await open();
    const large = snapshot({ at: 1, state: textOf(15) });
    expect(await snapshots.write(large)).toBe('written');
    expect((await snapshots.read(large))?.state === large.state).toBe(true);
    expect(await snapshots.write(snapshot({ at: 2, state: textOf(17) }))).toBe('too_large');
    expect((await listed(snapshots, 10)).map(({ position }) => position)).toEqual([large.position]);
  });
}
