/** Texts for a link's state and expiry. */
import type { SharedPart, ShareItem } from '../../../src/http/contract/share.ts';
import type { EXPIRY_HOURS } from '../../../src/model/shares.ts';

type ShareState = 'Active' | 'Expired' | 'Inactive';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** `now`: ms since the epoch. */
export function stateOf(
  { is_active, expires_at }: Pick<ShareItem, 'is_active' | 'expires_at'>,
  now: number,
): ShareState {
  if (!is_active) return 'Inactive';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'Expired' : 'Active';
}

export function expiryText(expiresAt: string | null, now: number): string {
  if (expiresAt === null) return 'Never expires';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'Expired';
  return left < DAY ? `Expires in ${Math.ceil(left / HOUR)}h` : `Expires in ${Math.round(left / DAY)}d`;
}

export const PART_NAMES: Readonly<Record<SharedPart, string>> = {
  actions: 'Action items',
  executive_summary: 'Executive summary',
  job_metadata: 'Audit details',
};

/** Hours until a link expires; 0 for never. */
export const EXPIRY_CHOICES = [
  [0, 'Never expires'],
  [24, '24 hours'],
  [72, '3 days'],
  [168, '7 days'],
  [720, '30 days'],
] as const satisfies readonly (readonly [hours: (typeof EXPIRY_HOURS)[number], name: string])[];
