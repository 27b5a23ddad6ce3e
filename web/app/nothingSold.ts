/** Navigation state for a redirect to the account page because nothing is sold here. */
export const NOTHING_SOLD = { nothingSold: true } as const;

export const isNothingSold = (state: unknown): boolean =>
  (state as Partial<typeof NOTHING_SOLD> | null)?.nothingSold === true;
