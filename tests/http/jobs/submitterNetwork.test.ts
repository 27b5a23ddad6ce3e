/** What is stored of the network that a submission comes from. */
import { describe, expect, it } from 'vitest';
import { createNetworkOf } from '../../../src/http/jobs/submitterNetwork.ts';
import { givenMarks } from '../../given/work/following.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const NEXT_DAY = '2026-03-11T00:00:00.000Z';

describe('the network of a submission', () => {
  it('is 16 bits, the same for all addresses of a /24 or /64 and in all processes, and another one the next day', async () => {
    const marks = givenMarks();
    const [one, two] = [createNetworkOf(marks), createNetworkOf(marks)];
    const hash = await one('203.0.114.7', NOW);
    expect(hash).toMatch(/^[0-9a-f]{4}$/);
    expect(await two('203.0.114.250', NOW)).toBe(hash);
    expect(await one('::ffff:203.0.114.9', NOW)).toBe(hash);
    const six = await one('2a00:1450:4001:82a::1', NOW);
    expect(await two('2a00:1450:4001:82a:ffff::2', NOW)).toBe(six);
    const days = await Promise.all(['203.0.114.7', '8.8.8.8', '9.9.9.9'].map((address) => one(address, NOW)));
    const later = await Promise.all(['203.0.114.7', '8.8.8.8', '9.9.9.9'].map((address) => one(address, NEXT_DAY)));
    expect(later).not.toEqual(days);
  });

  it('is none for private, loopback, and unknown addresses', async () => {
    const networkOf = createNetworkOf(givenMarks());
    for (const address of ['10.1.2.3', '192.168.0.9', '172.16.0.1', '127.0.0.1', '::1', 'fd00::1', 'fe80::1', '', 'x'])
      expect([address, await networkOf(address, NOW)]).toEqual([address, null]);
  });
});
