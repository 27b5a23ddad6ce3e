/**
 * Storage format, version with care. The single stream `identity-installation`: which installation the log belongs to. Its read models, its last backup, and a file in its
 * data folder name the same one, so that a missing or foreign log is noticed.
 */

/** Secrets kept outside the log that its events depend on. */
export const INSTALLATION_KEYS = ['shares', 'second_factors'] as const;
export type InstallationKey = (typeof INSTALLATION_KEYS)[number];

export type IdentityEvent =
  /** The first one, or one that replaces a former identity which an operator gave up. */
  | { readonly type: 'InstallationIdentified'; readonly data: { readonly installationId: string; readonly identifiedAt: string } }
  | {
      readonly type: 'InstallationKeyRecorded';
      readonly data: {
        readonly installationId: string;
        readonly key: InstallationKey;
        /** A message authentication code under the key itself: it recognizes the key, and does not reveal it. */
        readonly fingerprint: string;
        readonly recordedAt: string;
      };
    };
