/** How events of an installation as a whole are stored: its identity, and rules that began with an upgrade. */
import { IDENTITY_EVENTS, RULE_EVENTS } from '../installation/events.ts';
import { stored } from './storedType.ts';

export const IDENTITY_TYPES = stored(IDENTITY_EVENTS, ['installationId'], {
  InstallationKeyRecorded: { secret: ['fingerprint'] },
});

export const RULE_TYPES = stored(RULE_EVENTS, []);
