/**
 * Storage format, version with care. Stream: `code-{codeId}`: who uses promotion codes with a limited number of uses
 * for reports, which the payment provider does not count. One stream per discount (the provider's coupon), since its
 * codes share its uses.
 */
import * as z from 'zod';
import { at, type EventIn, id } from '../eventSchemas.ts';

export const codeStream = (codeId: string): string => `code-${codeId}`;

const ofUse = { codeId: id, useId: id };
const who = {
  promotionCodeId: id,
  /** As its customers type it. */
  code: z.string(),
  userId: id,
};

export const CODE_EVENTS = {
  /** A checkout with the code was opened; the use is kept for it until then. */
  CodeUseReserved: z.strictObject({ ...ofUse, ...who, expiresAt: at, reservedAt: at }),
  /** The payment of its checkout was created: it is canceled before the use goes to another checkout. */
  CodeUseStarted: z.strictObject({ ...ofUse, paymentIntentId: id, startedAt: at }),
  /** `replaced`: by another checkout of the same user. `failed`: no payment was started. */
  CodeUseReleased: z.strictObject({
    ...ofUse,
    reason: z.enum(['left', 'failed', 'expired', 'replaced']),
    releasedAt: at,
  }),
  CodeUsed: z.strictObject({
    ...ofUse,
    ...who,
    paymentIntentId: id,
    /** Paid after the use had been released: honored all the same, perhaps beyond the limit. */
    afterRelease: z.literal(true).exactOptional(),
    usedAt: at,
  }),
};
export type CodeEvent = EventIn<typeof CODE_EVENTS>;
export type CodeReleaseReason = Extract<CodeEvent, { readonly type: 'CodeUseReleased' }>['data']['reason'];
