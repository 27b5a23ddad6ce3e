import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { logOptions } from '../../src/http/request/log.ts';
import { createSecurityLog } from '../../src/http/usage/securityLog.ts';

/** A log with a clock of its own, in seconds. */
function opened(level = 'warn') {
  let seconds = 0;
  const texts: string[] = [];
  const log = pino(logOptions(level), { write: (line: string) => void texts.push(line) });
  const security = createSecurityLog({
    log,
    now: () => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString(),
  });
  return {
    security,
    at: (later: number) => {
      seconds = later;
    },
    /** Lines since the last call. */
    lines: () => texts.splice(0).map((text) => JSON.parse(text) as Record<string, unknown>),
  };
}

describe('security events', () => {
  it.each(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])(
    'are written whatever the level of the log, here %s',
    (level) => {
      const { security, lines } = opened(level);
      security.note('login_refused', '203.0.113.5', {
        account: 'a…@example.com',
        code: 'INVALID_CREDENTIALS',
        requestId: 'r-1',
      });
      expect(lines()).toEqual([
        {
          level: 70,
          time: expect.any(String),
          event: 'login_refused',
          msg: 'log-in refused',
          count: 1,
          address: '203.0.113.5',
          account: 'a…@example.com',
          code: 'INVALID_CREDENTIALS',
          requestId: 'r-1',
        },
      ]);
    },
  );

  it('have at most one line per kind, address and minute, and none is lost from the counts', () => {
    const { security, at, lines } = opened();
    const times: Record<string, number[]> = {};
    let counted = 0;
    const collect = (second: number) => {
      for (const { event, address, count } of lines()) {
        times[`${event} ${address}`] = [...(times[`${event} ${address}`] ?? []), second];
        counted += Number(count);
      }
    };
    for (let second = 0; second < 600; second += 1) {
      at(second);
      security.note('login_refused', '203.0.113.5');
      if (second % 7 === 0) security.note('login_refused', '203.0.113.6');
      if (second % 90 === 0) security.note('admin_refused', '203.0.113.5');
      if (second % 60 === 30) security.settle();
      collect(second);
    }
    for (const seconds of Object.values(times)) {
      for (const [nth, second] of seconds.entries())
        if (nth > 0) expect(second - (seconds[nth - 1] ?? 0)).toBeGreaterThanOrEqual(60);
    }
    security.flush();
    collect(600);
    expect(counted).toBe(600 + 86 + 7);
    expect(times['login_refused 203.0.113.5']?.length).toBeLessThanOrEqual(11);
  });

  it('are counted for the minute after they ended, though nothing follows', () => {
    const { security, at, lines } = opened();
    for (let nth = 0; nth < 5; nth += 1) security.note('login_refused', '203.0.113.5', { account: 'a…@example.com' });
    expect(lines()).toHaveLength(1);
    at(59);
    security.settle();
    expect(lines()).toEqual([]);
    at(60);
    security.settle();
    expect(lines()).toMatchObject([
      { event: 'login_refused', address: '203.0.113.5', count: 4, since: '2026-01-01T00:00:00.000Z' },
    ]);
    at(120);
    security.settle();
    security.flush();
    expect(lines()).toEqual([]);
  });

  it('of one IPv6 network are those of one address', () => {
    const { security, lines } = opened();
    for (let nth = 0; nth < 1_000; nth += 1) security.note('login_refused', `2001:db8:1:2::${nth.toString(16)}`);
    security.flush();
    expect(lines().map(({ count }) => count)).toEqual([1, 999]);
  });

  it('of ten thousand addresses share one line beyond ten, which names some of them, and take no more memory than it', () => {
    const { security, at, lines } = opened();
    for (let nth = 0; nth < 10_000; nth += 1) {
      at(nth / 100);
      security.note('login_refused', `10.0.${nth >> 8}.${nth & 255}`);
    }
    security.flush();
    const written = lines();
    expect(written.length).toBeLessThan(50);
    expect(written.reduce((sum, { count }) => sum + Number(count), 0)).toBe(10_000);
    for (const { addresses = [] } of written) expect((addresses as string[]).length).toBeLessThanOrEqual(20);
    expect(written.some(({ msg }) => msg === 'log-in refused, from more addresses')).toBe(true);
  });

  it('leave room for other kinds, and for other addresses once the first are quiet', () => {
    const { security, at, lines } = opened();
    for (let nth = 0; nth < 20; nth += 1) security.note('login_refused', `203.0.113.${nth}`);
    security.note('admin_refused', '198.51.100.1');
    expect(lines()).toHaveLength(11);
    at(60);
    security.note('login_refused', '198.51.100.1');
    expect(lines()).toMatchObject([
      { count: 10, addresses: expect.arrayContaining(['203.0.113.19']) },
      { count: 1, address: '198.51.100.1' },
    ]);
  });

  it('survive a clock that was set back', () => {
    const { security, at, lines } = opened();
    at(1_000);
    for (let nth = 0; nth < 3; nth += 1) security.note('login', '203.0.113.5');
    at(0);
    security.note('login', '203.0.113.5');
    security.flush();
    expect(lines().reduce((sum, { count }) => sum + Number(count), 0)).toBe(4);
  });
});
