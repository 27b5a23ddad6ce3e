import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Query parameters that the provider's page adds to the return URL. */
const ADDED = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];

/**
 * Id of the payment in the return URL. Its parameters are removed, since they include a secret and a reload would check
 * the payment again.
 */
export function useReturnedPayment(): string | null {
  const [search, setSearch] = useSearchParams();
  const [returned] = useState(() => search.get('payment_intent'));
  useEffect(() => {
    if (returned === null) return;
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of ADDED) next.delete(name);
        return next;
      },
      { replace: true },
    );
  }, [returned, setSearch]);
  return returned;
}
