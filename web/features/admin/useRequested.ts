import { startTransition, useOptimistic } from 'react';

/**
 * What the address requests, and a way to request something else. It holds at once, although the new address is
 * rendered later: fields would be put back until then, and a second change would undo the first.
 */
export function useRequested<Request>(
  addressed: Request,
  navigate: (next: Request) => void,
): readonly [Request, (next: Request) => void] {
  const [requested, setRequested] = useOptimistic(addressed);
  const request = (next: Request): void =>
    startTransition(() => {
      setRequested(next);
      navigate(next);
    });
  return [requested, request];
}
