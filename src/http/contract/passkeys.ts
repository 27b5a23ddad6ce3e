/** Passkeys: the options that a browser's WebAuthn API takes, and its answers, both as JSON (`toJSON` of the browser). */
import * as z from 'zod';
import { PASSWORD_MAX_LENGTH } from '../../model/limits.ts';

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/, 'must be base64url');
const credentialId = base64url(1400);
const transports = z.array(z.string().min(1).max(20)).max(10);

export const PasskeyView = z.object({
  id: z.string(),
  name: z.string(),
  added_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Whether it is kept in an account of its maker, and so is on several devices. */
  synced: z.boolean(),
});
export type PasskeyView = z.infer<typeof PasskeyView>;
/** `available`: whether passkeys can be added and used at this installation's address. */
export const PasskeysResponse = z.object({
  success: z.literal(true),
  data: z.array(PasskeyView),
  limit: z.number().int(),
  available: z.boolean(),
});
export type PasskeysResponse = z.infer<typeof PasskeysResponse>;

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).exactOptional(),
});

/** For `navigator.credentials.get`. */
export const PasskeyGetOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(Descriptor),
});
export type PasskeyGetOptions = z.infer<typeof PasskeyGetOptions>;
export const PasskeyGetOptionsResponse = z.object({ success: z.literal(true), options: PasskeyGetOptions });
export type PasskeyGetOptionsResponse = z.infer<typeof PasskeyGetOptionsResponse>;

/** For `navigator.credentials.create`. */
export const PasskeyCreateOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  timeout: z.number().int(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreateOptions = z.infer<typeof PasskeyCreateOptions>;
export const PasskeyCreateOptionsResponse = z.object({ success: z.literal(true), options: PasskeyCreateOptions });
export type PasskeyCreateOptionsResponse = z.infer<typeof PasskeyCreateOptionsResponse>;

const answer = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** What `navigator.credentials.get` returned. */
export const PasskeyAssertion = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
    userHandle: base64url(100).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** What `navigator.credentials.create` returned. */
export const PasskeyRegistration = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: transports.exactOptional(),
  }),
});
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

export const PasskeyLogInRequest = z.object({ passkey: PasskeyAssertion });

/** `password`: absent for an account without one. */
export const PasskeyOwnerRequest = z.object({
  password: z.string().min(1, 'Please enter your current password').max(PASSWORD_MAX_LENGTH).exactOptional(),
});

const name = z.string().trim().min(1, 'Please enter a name').max(60);
export const AddPasskeyRequest = z.object({ name, passkey: PasskeyRegistration });
export const RenamePasskeyRequest = z.object({ name });
export const PasskeyResponse = z.object({ success: z.literal(true), data: PasskeyView });
export type PasskeyResponse = z.infer<typeof PasskeyResponse>;
export const RemovePasskeyResponse = z.object({ success: z.literal(true), message: z.string() });

export const MfaPasskeyOptionsRequest = z.object({ mfa_token: z.string().min(1).max(500) });
