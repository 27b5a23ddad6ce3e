/** Goes along with who is sent to the account page because there are no plans here. */
export const NOTHING_SOLD = { nothingSold: true } as const;

export const isNothingSold = (state: unknown): boolean => (state as Partial<typeof NOTHING_SOLD> | null)?.nothingSold === true;
