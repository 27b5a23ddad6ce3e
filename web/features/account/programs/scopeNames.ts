import type { ApiKeyScope } from '../../../../src/model/programs.ts';

/** What a key may do, as shown to its owner. */
export const SCOPE_NAMES: Readonly<Record<ApiKeyScope, string>> = {
  read: 'Read only',
  write: 'Read and write',
  'reports:read': 'Reports only',
  'events:read': 'Events, anonymized',
};
