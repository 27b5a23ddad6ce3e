/** Ways to log in besides the password: emails with a code and a link, passkeys, and single sign-on. */
import * as z from 'zod';
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
