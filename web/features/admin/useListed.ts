import { useState } from 'react';

interface Shown<Data> {
  readonly data?: Data | undefined;
  /** Undefined while another answer is on its way. */
  readonly currentData?: Data | undefined;
}

/**
 * What a list shows: the answer to what is asked now. While only the order changes, the answer before stays until then, and with it the head that was
 * pressed and the focus on it. `list`: what is listed, whatever the order.
 */
export function useListed<Data>({ data, currentData }: Shown<Data>, list: string): Data | undefined {
  const [known, setKnown] = useState<string | null>(null);
  if (currentData !== undefined && known !== list) setKnown(list);
  return known === list ? data : currentData;
}
