/** The claims port as a simple model: one claim per item, in memory. */
import { type Claim, type Claims, NOTHING_NOTED } from '../../src/readModels/claims.ts';

export type ClaimsModel = {
  readonly [Call in keyof Claims]: (...args: Parameters<Claims[Call]>) => Awaited<ReturnType<Claims[Call]>>;
};

export function claimsModel(): ClaimsModel {
  let all: readonly Claim[] = [];
  const of = (kind: string, itemId: string) => all.find((claim) => claim.kind === kind && claim.itemId === itemId);
  const replace = (claim: Claim) => {
    all = [...all.filter((other) => other.kind !== claim.kind || other.itemId !== claim.itemId), claim];
  };
  const forget = (isGone: (claim: Claim) => boolean): number => {
    const before = all.length;
    all = all.filter((claim) => claim.holder !== null || !isGone(claim));
    return before - all.length;
  };
  const running = (kind: string): ReadonlyMap<string, number> => {
    const lanes = new Map<string, number>();
    for (const claim of all)
      if (claim.kind === kind && claim.holder !== null) lanes.set(claim.lane, (lanes.get(claim.lane) ?? 0) + 1);
    return lanes;
  };
  const change = (claim: Claim, changes: Partial<Claim>): boolean => {
    const now = of(claim.kind, claim.itemId);
    if (
      !now ||
      now.holder === null ||
      now.holder !== claim.holder ||
      now.number !== claim.number ||
      now.opening !== claim.opening
    )
      return false;
    replace({ ...now, ...changes, vanished: false });
    return true;
  };
  return {
    read: (kind, itemIds) => itemIds.flatMap((id) => of(kind, id) ?? []),
    take: ({ item, seen, holder, laneLimit }) => {
      const now = of(item.kind, item.itemId);
      if (now && now.holder !== null) return 'taken';
      const before = now?.opening === item.opening ? now : undefined;
      const known = seen?.opening === item.opening ? seen : undefined;
      if (before?.number !== known?.number || (known && known.holder !== null)) return 'taken';
      if ((running(item.kind).get(item.lane) ?? 0) >= laneLimit) return 'lane_full';
      const claim = {
        ...(before ?? { ...NOTHING_NOTED, vanished: false }),
        ...item,
        number: (before?.number ?? 0) + 1,
        holder,
      };
      replace(claim);
      return claim;
    },
    note: (claim, notes) => change(claim, notes),
    letGo: (claim, notes) => change(claim, { ...notes, holder: null }),
    running,
    holders: () => [...new Set(all.flatMap(({ holder }) => holder ?? []))],
    vacate: (holder) => {
      const lost = all.filter((claim) => claim.holder === holder);
      for (const claim of lost) replace({ ...claim, holder: null, vanished: true });
      return lost.length;
    },
    forgetSettled: (kind, upTo) =>
      forget((claim) => claim.kind === kind && claim.settledAt !== null && claim.settledAt <= upTo),
    list: ({ kind, after = '', limit }) =>
      all
        .filter((claim) => claim.kind === kind && claim.itemId > after)
        .sort((a, b) => (a.itemId < b.itemId ? -1 : 1))
        .slice(0, limit),
    remove: (kind, itemIds) => void forget((claim) => claim.kind === kind && itemIds.includes(claim.itemId)),
  };
}
