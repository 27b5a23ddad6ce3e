/** Admin pages poll every 30 s, but not while hidden. */
export const ADMIN_POLLING = { pollingInterval: 30_000, skipPollingIfUnfocused: true } as const;
