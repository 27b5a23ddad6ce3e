import { describe, expect, it } from 'vitest';
import { BodyBuffer } from '../../../src/integrations/fetcher/bodyBuffer.ts';

describe('a body in pieces', () => {
  it('is held in one buffer, at most twice its size', () => {
    const body = new BodyBuffer(1_000_000);
    const piece = Buffer.from('abc');
    for (let nth = 0; nth < 10_000; nth += 1) body.add(piece);
    const whole = body.whole();
    expect(Buffer.from(whole).toString()).toBe('abc'.repeat(10_000));
    expect(whole.buffer.byteLength).toBeLessThanOrEqual(60_000);
  });

  it('never takes more room than it may have bytes', () => {
    const body = new BodyBuffer(10_000);
    for (let nth = 0; nth < 10; nth += 1) body.add(Buffer.alloc(1_000, 'x'));
    expect(body.whole().buffer.byteLength).toBe(10_000);
  });

  it('in one piece is not copied', () => {
    const body = new BodyBuffer(10);
    const piece = Buffer.from('whole');
    body.add(piece);
    expect(body.whole().buffer).toBe(piece.buffer);
    expect(new BodyBuffer(10).whole()).toHaveLength(0);
  });
});
