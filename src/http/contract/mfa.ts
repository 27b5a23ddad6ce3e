/** Two-factor authentication: turned on and off by the user, required at log-in. */
import * as z from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';
import { PasskeyAssertion } from './passkeys.ts';

export const MfaView = z.object({
  enabled: z.boolean(),
  /** Null if it is off. */
  enabled_at: z.string().nullable(),
  /** Number of unused codes. */
  recovery_codes_left: z.number().int(),
  /** False if this installation has no secret to protect it, so that it cannot be turned on. */
  available: z.boolean(),
});
export type MfaView = z.infer<typeof MfaView>;
export const MfaResponse = z.object({ success: z.literal(true), data: MfaView });
export type MfaResponse = z.infer<typeof MfaResponse>;

/** Absent for an account without one. */
const password = z.string().min(1, 'Please enter your current password').max(PASSWORD_MAX_LENGTH).exactOptional();
const code = z.string().trim().min(1, 'Please enter the code').max(20);

export const MfaPasswordRequest = z.object({ password });

/** Shown only once. `uri`: content of the QR code. */
export const MfaEnrolResponse = z.object({
  success: z.literal(true),
  data: z.object({ secret: z.string(), uri: z.string() }),
});
export type MfaEnrolResponse = z.infer<typeof MfaEnrolResponse>;

export const MfaConfirmRequest = z.object({ code });
/** Shown only once. */
export const MfaConfirmResponse = z.object({
  success: z.literal(true),
  data: z.object({ recovery_codes: z.array(z.string()) }),
});
export type MfaConfirmResponse = z.infer<typeof MfaConfirmResponse>;

export const MfaRemoveResponse = z.object({ success: z.literal(true), message: z.string() });

const either = {
  code: code.exactOptional(),
  recovery_code: z.string().trim().min(1, 'Please enter the recovery code').max(100).exactOptional(),
  passkey: PasskeyAssertion.exactOptional(),
};
type Either = { readonly [Name in keyof typeof either]?: unknown };
const isOne = ({ code, recovery_code, passkey }: Either): boolean =>
  [code, recovery_code, passkey].filter((given) => given !== undefined).length === 1;
const ONE_OF_THEM = 'Please enter a code or a recovery code, or use a passkey';

/** Exactly one of the three. */
export const MfaVerifyRequest = z
  .object({ mfa_token: z.string().min(1).max(500), ...either })
  .refine(isOne, ONE_OF_THEM);
export type MfaVerifyRequest = z.infer<typeof MfaVerifyRequest>;

/** Exactly one of the three. */
export const MfaStepUpRequest = z.object(either).refine(isOne, ONE_OF_THEM);
export type MfaStepUpRequest = z.infer<typeof MfaStepUpRequest>;
export const MfaStepUpResponse = z.object({ success: z.literal(true), message: z.string() });
