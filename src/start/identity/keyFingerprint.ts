/** Recognizing a key of the installation without storing it. */
import { createHmac } from 'node:crypto';
import type { InstallationKey } from '../../domain/installation/events.ts';

/**
 * Computed under the key itself: only who has the key can tell that it is the one. Of another installation, the same
 * key has another fingerprint.
 */
export function keyFingerprint(secret: string, installationId: string, key: InstallationKey): string {
  return createHmac('sha256', secret).update(`installation ${installationId}: key of ${key}`).digest('base64url');
}
