import type { Fault } from './fault.ts';

const NEXT_ITEM = { file: 'src/work/nextItem.ts', tests: ['tests/work/nextItem.test.ts'] } as const;
const FILL = { file: 'src/work/fill.ts', tests: ['tests/work/fill.test.ts'] } as const;

/** Each part of the rule of who is next, taken away; and what the loop does around it. */
export const WORK: readonly Fault[] = [
  {
    id: 'lane-without-limit',
    what: 'One user’s audits take every slot that is not reserved.',
    ...NEXT_ITEM,
    find: 'if (running >= limitNow(slots) || dueAt > slots.now) return false;',
    replace: 'if ((limitNow(slots) === 1 && running > 0) || dueAt > slots.now) return false;',
  },
  {
    id: 'network-without-limit',
    what: 'Free accounts of one network make everybody wait.',
    ...NEXT_ITEM,
    find: '  if (network !== null && (slots.networks.get(network) ?? 0) >= slots.networkLimit) return false;\n',
    replace: '',
  },
  {
    id: 'whoever-has-most',
    what: 'A user with an audit in progress gets a second one before another user’s first.',
    ...NEXT_ITEM,
    find: '  if (a.running !== b.running) return a.running < b.running;\n',
    replace: '',
  },
  {
    id: 'rank-forever',
    what: 'Users without a plan wait for as long as those with one submit audits.',
    ...NEXT_ITEM,
    find: 'const rank = item.dueAt <= impatientSince ? BEFORE_ANY_RANK : item.rank;',
    replace: 'const rank = item.dueAt <= impatientSince ? item.rank : item.rank;',
  },
  {
    id: 'no-rank',
    what: 'Users who pay for priority wait like all others.',
    ...NEXT_ITEM,
    find: '  if (a.rank !== b.rank) return a.rank > b.rank;\n',
    replace: '',
  },
  {
    id: 'any-order',
    what: 'Whose audits were listed first, not who has waited longest, is next.',
    ...NEXT_ITEM,
    find: '  return a.item.dueAt < b.item.dueAt;\n',
    replace: '  return false;\n',
  },
  {
    id: 'reserved-for-the-busy',
    what: 'The reserved slot goes to users who have audits in progress.',
    ...NEXT_ITEM,
    find: '(free <= reserved ? 1 : limit)',
    replace: '(free <= reserved ? limit : limit)',
  },
  {
    id: 'reserved-again-and-again',
    what: 'The reserved slot goes to the same few accounts again and again, and a new user waits for minutes.',
    ...NEXT_ITEM,
    find: 'return slots.free > slots.reserved || !slots.hadToday.has(lane);',
    replace: 'return true;',
  },
  {
    id: 'not-alone',
    what: 'An item that ends its process takes the work of others with it again and again.',
    ...NEXT_ITEM,
    find: 'if (slots.free <= 0 || slots.alone) return null;',
    replace: 'if (slots.free <= 0) return null;',
  },
  {
    id: 'claims-on-a-full-disk',
    what: 'While the disk is full, claims that cannot lead to anything take the space that is freed.',
    ...FILL,
    find: 'if (closedUntil !== null) return closedUntil;',
    replace: '',
  },
  {
    id: 'first-or-nothing',
    what: 'When another process is faster with one item, the user’s other items wait, although slots are free.',
    ...FILL,
    find: 'const isMore = next !== null && next.dueAt <= slots.now;',
    replace: 'const isMore = next !== null && next.dueAt > slots.now;',
  },
];
