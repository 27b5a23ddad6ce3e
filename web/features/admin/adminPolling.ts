/** Admin pages ask again every 30 s, not while they are hidden. */
export const ADMIN_POLLING = { pollingInterval: 30_000, skipPollingIfUnfocused: true } as const;
