import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/** What a provider's page adds to the address that it returns to. */
const ADDED = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];

/** Id of the payment that the address came back with. The address loses all of it: it has a secret, and a reload would ask again. */
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
