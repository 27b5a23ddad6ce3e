/**
 * Storage format, version with care. The single stream `identity-installation`: which installation the log belongs to.
 * Its read models, its last backup, and a file in its data folder name the same one, so that a missing or foreign log
 * is noticed. Streams `rule-{name}`: see `RULE_EVENTS`; `pseudonym-key`: see `PSEUDONYM_KEY_EVENTS`.
 */
import * as z from 'zod';
import { at, type EventIn, id } from '../eventSchemas.ts';

export const IDENTITY_STREAM = 'identity-installation';
/** Not in the stream `installation`: processes of the former version read that one, and do not know this event. */
export const EMAIL_PROOF_RULE_STREAM = 'rule-email_proof';

/** Secrets kept outside the log that its events depend on. */
export const INSTALLATION_KEYS = ['shares', 'second_factors'] as const;
export type InstallationKey = (typeof INSTALLATION_KEYS)[number];

export const IDENTITY_EVENTS = {
  /** The first one, or one that replaces a former identity which an operator gave up. */
  InstallationIdentified: z.strictObject({ installationId: id, identifiedAt: at }),
  InstallationKeyRecorded: z.strictObject({
    installationId: id,
    key: z.enum(INSTALLATION_KEYS),
    /** A message authentication code under the key itself: it recognizes the key, and does not reveal it. */
    fingerprint: z.string().min(1),
    recordedAt: at,
  }),
};
export type IdentityEvent = EventIn<typeof IDENTITY_EVENTS>;

/** Streams `rule-{name}`: since when a rule holds that spares for a while what was there before. */
export const RULE_EVENTS = {
  EmailProofRequired: z.strictObject({ requiredSince: at }),
};
export type RuleEvent = EventIn<typeof RULE_EVENTS>;

/**
 * By what the key of pseudonyms in anonymized exports is recognized. Not in the stream `identity-installation`, and no
 * key of `INSTALLATION_KEYS`: processes of the former version read those, and do not know this one.
 */
export const PSEUDONYM_KEY_STREAM = 'pseudonym-key';

export const PSEUDONYM_KEY_EVENTS = {
  /** The first one, or another one than at the last start. */
  PseudonymKeyRecorded: z.strictObject({
    /** Distinguishes the keys, and reveals nothing about them: as in `EventsExported`. */
    pseudonyms: z.string().min(1),
    recordedAt: at,
  }),
};
export type PseudonymKeyEvent = EventIn<typeof PSEUDONYM_KEY_EVENTS>;
