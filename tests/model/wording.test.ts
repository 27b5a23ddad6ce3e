import { describe, expect, it } from 'vitest';
import { count, durationText, listed, shortDuration, totalText } from '../../src/model/wording.ts';

describe('the time of one piece of work', () => {
  it.each([
    [0.4, '1 minute', '1 min'],
    [1, '1 minute', '1 min'],
    [45, '45 minutes', '45 min'],
    [60, '1 hour', '1 h'],
    [61, '1 hour 1 minute', '1 h 1 min'],
    [180, '3 hours', '3 h'],
    [200, '3 hours 20 minutes', '3 h 20 min'],
    [599, '9 hours 59 minutes', '9 h 59 min'],
    [600, '10 hours', '10 h'],
    [2400, '40 hours', '40 h'],
    [75_000, '1,250 hours', '1250 h'],
  ])('is the same number in either form: %d', (minutes, long, short) => {
    expect([durationText(minutes), shortDuration(minutes)]).toEqual([long, short]);
  });
});

describe('a sum of estimates', () => {
  it('is given in whole hours, as on the dashboard', () => {
    expect([0, 45, 60, 89, 90, 400].map(totalText)).toEqual([
      '1 minute',
      '45 minutes',
      'about 1 hour',
      'about 1 hour',
      'about 2 hours',
      'about 7 hours',
    ]);
  });
});

it('counts and lists', () => {
  expect([count(1, 'page'), count(1200, 'address', 'addresses')]).toEqual(['1 page', '1,200 addresses']);
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
});
