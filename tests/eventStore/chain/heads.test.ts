import { expect, it } from 'vitest';
import { createHeads } from '../../../src/eventStore/chain/heads.ts';

const MOST = 5_000;
const head = (number: number) => ({ revision: BigInt(number), hash: `hash ${number}` });

it('remembers the last 5,000 streams, and those in use for longer', () => {
  const heads = createHeads();
  for (let number = 0; number < 3 * MOST; number += 1) {
    heads.note(`job-${number}`, head(number));
    expect(heads.of('job-0')).toEqual(head(0));
  }
  for (let number = 2 * MOST; number < 3 * MOST; number += 1) expect(heads.of(`job-${number}`)).toEqual(head(number));
  expect(heads.of('job-1')).toBeNull();
});

it('has the latest head of a stream, and none once it is forgotten', () => {
  const heads = createHeads();
  heads.note('job-1', head(1));
  for (let number = 0; number < MOST; number += 1) heads.note(`other-${number}`, head(number));
  heads.note('job-1', head(2));
  expect(heads.of('job-1')).toEqual(head(2));
  heads.forget('job-1');
  expect(heads.of('job-1')).toBeNull();
});
