/** Account recovery after a forgotten password. */
import * as z from 'zod';
import { email, password, User } from './auth.ts';

/** Shown after every request, whether or not an account has the address. */
export const RESET_SENT = 'If an account exists with this email, you will receive password reset instructions.';

const token = z.string().min(1).max(500);

export const ResetRequest = z.object({ email });
/** The token of a link that confirms an address. */
export const ChoosePasswordRequest = z.object({ token });
export const ResetResponse = z.object({ success: z.literal(true), message: z.string() });

export const VerifyRecoveryRequest = z.object({ access_token: token, refresh_token: token });
/** `user`: the user whose password is to be set. */
export const VerifyRecoveryResponse = z.object({ success: z.literal(true), user: User });
export type VerifyRecoveryResponse = z.infer<typeof VerifyRecoveryResponse>;

/**
 * `user` is null if neither a token nor the cookie of a verified link is valid; `recovery` is true if it was the link.
 */
export const AuthSessionResponse = z.object({ success: z.literal(true), user: User.nullable(), recovery: z.boolean() });
export type AuthSessionResponse = z.infer<typeof AuthSessionResponse>;

export const UpdatePasswordRequest = z.object({ password });
export const UpdatePasswordResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  /** Where to go next: a path of the app. */
  data: z.object({ redirect: z.string() }),
});
export type UpdatePasswordResponse = z.infer<typeof UpdatePasswordResponse>;
