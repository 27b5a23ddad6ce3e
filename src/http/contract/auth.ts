import * as z from 'zod';
import { EMAIL_INVALID, isEmailAddress, withAsciiDomain } from '../../model/emailAddress.ts';
import { EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, PASSWORD_TOO_SHORT } from '../../model/limits.ts';

/** Its domain is converted to ASCII. */
export const email = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH)
  .overwrite(withAsciiDomain)
  .refine(isEmailAddress, EMAIL_INVALID);

export const password = z
  .string()
  .min(PASSWORD_MIN_LENGTH, PASSWORD_TOO_SHORT)
  .max(PASSWORD_MAX_LENGTH, `Password must be at most ${PASSWORD_MAX_LENGTH} characters long`);

export const LoginRequest = z.object({
  email: z.string().trim().min(1).max(EMAIL_MAX_LENGTH),
  password: z.string().min(1).max(PASSWORD_MAX_LENGTH),
});
export type LoginRequest = z.infer<typeof LoginRequest>;

export const SignupRequest = z.object({
  email,
  password,
  name: z.string().trim().max(100).optional(),
  /** Where the visitor came from, for example a shared preview. */
  source: z.string().max(100).optional(),
  utm_campaign: z.string().max(100).optional(),
  utm_content: z.string().max(200).optional(),
});
export type SignupRequest = z.infer<typeof SignupRequest>;

export const Profile = z.object({
  id: z.string(),
  is_admin: z.boolean(),
  plan: z.string(),
  credits: z.number().int(),
  /** Smallest currency unit. */
  funds: z.number().int(),
  name: z.string(),
  /**
   * Whether the address is confirmed as the user's: until then it only receives emails that ask for confirmation.
   * `contended`: unconfirmed, and another account uses it to log in until it is confirmed. `lost`: another account has
   * confirmed it.
   */
  email_state: z.enum(['confirmed', 'unconfirmed', 'contended', 'lost']),
  /**
   * While the address is not confirmed: from then on, sharing audits and free audits after the first are refused until
   * it is. Absent where nothing is refused.
   */
  email_required_from: z.string().exactOptional(),
  /** The address the account will have once the link in its email is opened. */
  pending_email: z.string().nullable(),
  /** If not, it is logged in to in other ways. */
  has_password: z.boolean(),
  /** Two-factor authentication. `required`: an admin who must turn it on to use the admin pages. */
  mfa: z.enum(['off', 'on', 'required']),
});
export type Profile = z.infer<typeof Profile>;

export const User = z.object({ id: z.string(), email: z.string() });
export type User = z.infer<typeof User>;

/** A session's tokens, and whose they are. */
export const SessionTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Unix seconds. */
  expires_at: z.number().int(),
  /** Seconds. */
  expires_in: z.number().int(),
  token_type: z.literal('bearer'),
  user: User,
});
export type SessionTokens = z.infer<typeof SessionTokens>;

export const LoginResponse = z.object({
  success: z.literal(true),
  /** The access token; `session` has it too, with its refresh token. */
  token: z.string(),
  user_id: z.string(),
  email: z.string(),
  profile: Profile,
  session: SessionTokens,
});
export type LoginResponse = z.infer<typeof LoginResponse>;

/** The password is correct, but the account needs its second factor: no session yet. */
export const MfaChallenge = z.object({
  success: z.literal(true),
  mfa_required: z.literal(true),
  /** For `POST /auth/mfa/verify`, together with a code. */
  mfa_token: z.string(),
  /** Seconds. */
  expires_in: z.number().int(),
});
export type MfaChallenge = z.infer<typeof MfaChallenge>;

export const LoginAnswer = z.union([LoginResponse, MfaChallenge]);
export type LoginAnswer = z.infer<typeof LoginAnswer>;

export const SignupResponse = LoginResponse.extend({
  stripe_customer_id: z.string().nullable(),
  next_step: z.string(),
});
export type SignupResponse = z.infer<typeof SignupResponse>;

export const ProfileResponse = z.object({ success: z.literal(true), user: User, profile: Profile });
export type ProfileResponse = z.infer<typeof ProfileResponse>;

export const RefreshRequest = z.object({ refresh_token: z.string().min(1).max(500) });
export const RefreshResponse = z.object({ success: z.literal(true), token: z.string(), session: SessionTokens });
export type RefreshResponse = z.infer<typeof RefreshResponse>;

/** `end_session_url`: of a session that a provider opened: the page that logs out there, too. */
export const LogoutResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  end_session_url: z.string().exactOptional(),
});
export type LogoutResponse = z.infer<typeof LogoutResponse>;
