import { useState } from 'react';

interface Shown<Data> {
  readonly data?: Data | undefined;
  /** Undefined while other data is loading. */
  readonly currentData?: Data | undefined;
}

/**
 * Data of a list. While only the order changes, the previous data stays until the new one arrives, which keeps the
 * clicked header and its focus. `list`: identifies the list regardless of order.
 */
export function useListed<Data>({ data, currentData }: Shown<Data>, list: string): Data | undefined {
  const [known, setKnown] = useState<string | null>(null);
  if (currentData !== undefined && known !== list) setKnown(list);
  return known === list ? data : currentData;
}
