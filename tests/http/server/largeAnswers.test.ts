import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLargeAnswers } from '../../../src/http/server/largeAnswers.ts';

const MIB = 1024 * 1024;
const response = (): ServerResponse =>
  Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

describe('large answers', () => {
  it('that one reader leaves unread are bounded, and end with their connections', () => {
    const answers = createLargeAnswers({ ofOne: 10 * MIB, ofAll: 100 * MIB });
    const [first, second] = [response(), response()];
    answers.begin('ann', 2 * MIB, first);
    answers.begin('ann', 2 * MIB, second);
    expect(() => answers.begin('ann', 2 * MIB, response())).toThrow(/still on their way/);
    answers.begin('bob', 2 * MIB, response());
    first.emit('close');
    answers.begin('ann', 2 * MIB, response());
    expect(() => answers.begin('ann', 2 * MIB, response())).toThrow(/still on their way/);
  });

  it('of all readers are bounded, but each gets one, however large', () => {
    const answers = createLargeAnswers({ ofOne: 10 * MIB, ofAll: 12 * MIB });
    for (const reader of ['ann', 'bob', 'cid']) answers.begin(reader, 4 * MIB, response());
    expect(() => answers.begin('ann', MIB, response())).toThrow(/still on their way/);
    answers.begin('dan', 40 * MIB, response());
  });

  it('do not hold back small ones', () => {
    const answers = createLargeAnswers({ ofOne: 1, ofAll: 1 });
    answers.begin('ann', 4 * MIB, response());
    for (let nth = 0; nth < 1_000; nth += 1) answers.begin('ann', 10_000, response());
  });
});
