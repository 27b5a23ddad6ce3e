import { useEffect, useRef } from 'react';

interface Query {
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * Refetches whenever `version` has changed; undefined while it is not known. RTK Query ignores a refetch while a request is in flight, whose response may be
 * older than the change, so this waits for its end.
 */
export function useRefetchOnChange(version: unknown, { isFetching, refetch }: Query): void {
  const fetched = useRef(version);
  useEffect(() => {
    fetched.current ??= version;
    if (isFetching || fetched.current === version) return;
    fetched.current = version;
    void refetch();
  }, [version, isFetching, refetch]);
}
