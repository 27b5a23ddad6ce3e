/** The way back into an account whose password is forgotten. */
import { z } from 'zod';
import { email, password, User } from './auth.ts';

/** Said after every request, whether or not an account has the address. */
export const RESET_SENT = 'If an account exists with this email, you will receive password reset instructions.';

const token = z.string().min(1).max(500);

export const ResetRequest = z.strictObject({ email });
export const ResetResponse = z.object({ success: z.literal(true), message: z.string() });

export const VerifyRecoveryRequest = z.strictObject({ access_token: token, refresh_token: token });
/** `user`: whose password it sets. */
export const VerifyRecoveryResponse = z.object({ success: z.literal(true), user: User });
export type VerifyRecoveryResponse = z.infer<typeof VerifyRecoveryResponse>;

/** `user` is null when neither a token nor the cookie of a verified link opens anything; `recovery` when it was the link. */
export const AuthSessionResponse = z.object({ success: z.literal(true), user: User.nullable(), recovery: z.boolean() });
export type AuthSessionResponse = z.infer<typeof AuthSessionResponse>;

export const UpdatePasswordRequest = z.strictObject({ password });
export const UpdatePasswordResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  /** Where to go now: a path of the app. */
  data: z.object({ redirect: z.string() }),
});
export type UpdatePasswordResponse = z.infer<typeof UpdatePasswordResponse>;
