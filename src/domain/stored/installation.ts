/** Stored events of the identity of an installation. */
import * as z from 'zod';
import { type IdentityEvent, INSTALLATION_KEYS } from '../installation/events.ts';
import { at, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

export const IDENTITY_TYPES = {
  InstallationIdentified: stored(z.strictObject({ installationId: id, identifiedAt: at }), ['installationId']),
  InstallationKeyRecorded: stored(
    z.strictObject({ installationId: id, key: z.enum(INSTALLATION_KEYS), fingerprint: z.string().min(1), recordedAt: at }),
    ['installationId'],
    { secret: ['fingerprint'] },
  ),
} satisfies StoredTypes<IdentityEvent>;
