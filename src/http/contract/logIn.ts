/** Ways to log in besides the password: emails with a code and a link, passkeys, and single sign-on. */
import * as z from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';
import { email } from './auth.ts';

/** Shown after every request, whether or not an account has the address. */
export const LOG_IN_MAIL_SENT =
  'If this address can be used to log in, we’ve sent it a code and a link. They work for ten minutes.';

/** `create`: sign up with the address if no account has it. */
export const LogInMailRequest = z.object({
  email,
  create: z.boolean().exactOptional(),
  name: z.string().trim().max(100).exactOptional(),
});
export type LogInMailRequest = z.infer<typeof LogInMailRequest>;
export const LogInMailResponse = z.object({ success: z.literal(true), message: z.string() });
export type LogInMailResponse = z.infer<typeof LogInMailResponse>;

/** Spaces in the code do not matter. */
export const LogInCodeRequest = z.object({
  email,
  code: z.string().trim().min(1, 'Please enter the code').max(20),
});
export type LogInCodeRequest = z.infer<typeof LogInCodeRequest>;

export const LogInLinkRequest = z.object({ token: z.string().min(1).max(500) });
/** The account that the link logs in to. */
export const LogInLinkResponse = z.object({ success: z.literal(true), email: z.string() });
export type LogInLinkResponse = z.infer<typeof LogInLinkResponse>;

/** A provider of single sign-on. */
export const SsoProviderView = z.object({ id: z.string(), label: z.string() });
export type SsoProviderView = z.infer<typeof SsoProviderView>;

export const SsoParams = z.object({ provider: z.string().min(1).max(40) });
/** Where the browser is to go. Its cookie binds what comes back to this browser. */
export const SsoStartResponse = z.object({ success: z.literal(true), url: z.string() });
export type SsoStartResponse = z.infer<typeof SsoStartResponse>;

/** From the address that the provider led back to. */
const ssoAnswer = {
  code: z.string().min(1).max(4_000),
  state: z.string().min(1).max(200),
  iss: z.string().max(2_000).exactOptional(),
};
export const SsoFinishRequest = z.object(ssoAnswer);
export type SsoFinishRequest = z.infer<typeof SsoFinishRequest>;

/** The password, of an account that has one; others have logged in within the last 15 minutes. */
const ofOwner = {
  password: z.string().min(1, 'Please enter your current password').max(PASSWORD_MAX_LENGTH).exactOptional(),
};
export const IdentityStartRequest = z.object(ofOwner);
export type IdentityStartRequest = z.infer<typeof IdentityStartRequest>;
export const IdentityRemovalRequest = z.object(ofOwner);
export type IdentityRemovalRequest = z.infer<typeof IdentityRemovalRequest>;

export const IdentityView = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  email: z.string().nullable(),
  added_at: z.string(),
  last_used_at: z.string().nullable(),
  offered: z.boolean(),
});
export type IdentityView = z.infer<typeof IdentityView>;
export const IdentitiesResponse = z.object({
  success: z.literal(true),
  identities: z.array(IdentityView),
  providers: z.array(SsoProviderView),
});
export type IdentitiesResponse = z.infer<typeof IdentitiesResponse>;
export const IdentityAddedResponse = z.object({ success: z.literal(true), identity: IdentityView });
export type IdentityAddedResponse = z.infer<typeof IdentityAddedResponse>;
export const IdentityRemovedResponse = z.object({ success: z.literal(true), message: z.string() });
