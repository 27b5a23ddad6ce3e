/**
 * How events of an installation as a whole are stored: its identity, rules that began with an upgrade, and the key of
 * pseudonyms.
 */
import { IDENTITY_EVENTS, PSEUDONYM_KEY_EVENTS, RULE_EVENTS } from '../installation/events.ts';
import { stored } from './storedType.ts';

export const IDENTITY_TYPES = stored(IDENTITY_EVENTS, ['installationId'], {
  InstallationKeyRecorded: { secret: ['fingerprint'] },
});

export const RULE_TYPES = stored(RULE_EVENTS, []);

export const PSEUDONYM_KEY_TYPES = stored(PSEUDONYM_KEY_EVENTS, []);
