import { describe, expect, it } from 'vitest';
import { expiryText, stateOf } from '../../../../web/features/sharing/shareWording.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const inHours = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();

describe('the wording of a link', () => {
  it.each([
    [null, 'Never expires'],
    [inHours(-1), 'Expired'],
    [inHours(0), 'Expired'],
    [inHours(0.2), 'Expires in 1h'],
    [inHours(5), 'Expires in 5h'],
    [inHours(23.9), 'Expires in 24h'],
    [inHours(24), 'Expires in 1d'],
    [inHours(71.99), 'Expires in 3d'],
    [inHours(720), 'Expires in 30d'],
  ])('that ends at %s: %s', (expiresAt, text) => {
    expect(expiryText(expiresAt, NOW)).toBe(text);
  });

  it('is active until it expires or is revoked', () => {
    expect(stateOf({ is_active: true, expires_at: null }, NOW)).toBe('Active');
    expect(stateOf({ is_active: true, expires_at: inHours(1) }, NOW)).toBe('Active');
    expect(stateOf({ is_active: true, expires_at: inHours(-1) }, NOW)).toBe('Expired');
    expect(stateOf({ is_active: false, expires_at: null }, NOW)).toBe('Inactive');
    expect(stateOf({ is_active: false, expires_at: inHours(-1) }, NOW)).toBe('Inactive');
  });
});
