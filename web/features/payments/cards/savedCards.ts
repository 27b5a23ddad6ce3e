/** The buyer's saved cards, which the payment sandbox returns to a page with the secret of a customer session. */
import { useEffect, useState } from 'react';
import type { PaymentConfig } from '../paymentsApi.ts';

export interface SavedCard {
  readonly id: string;
  /** `Visa ending in 4242` */
  readonly name: string;
  /** MM/YY */
  readonly expires: string;
}

interface Answer {
  readonly customer?: {
    readonly payment_methods?: readonly {
      readonly id: string;
      readonly card?: {
        readonly brand: string;
        readonly last4: string;
        readonly exp_month: number;
        readonly exp_year: number;
      };
    }[];
  };
}

const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

/** Null while unknown. If they cannot be read the list is empty, since any card can still be entered. */
export function useSavedCards(
  { sandbox_url, publishable_key }: PaymentConfig,
  clientSecret: string | null,
): readonly SavedCard[] | null {
  const [cards, setCards] = useState<readonly SavedCard[] | null>(clientSecret === null ? [] : null);
  useEffect(() => {
    if (clientSecret === null) return;
    const left = new AbortController();
    const query = new URLSearchParams({ customer_session_client_secret: clientSecret });
    const init = { headers: { Authorization: `Bearer ${publishable_key}` }, signal: left.signal };
    void cardsAt(`${sandbox_url}/v1/elements/sessions?${query}`, init).then(
      (found) => left.signal.aborted || setCards(found),
    );
    return () => left.abort();
  }, [sandbox_url, publishable_key, clientSecret]);
  return cards;
}

async function cardsAt(address: string, init: RequestInit): Promise<readonly SavedCard[]> {
  try {
    return cardsOf((await (await fetch(address, init)).json()) as Answer);
  } catch {
    return [];
  }
}

function cardsOf({ customer }: Answer): readonly SavedCard[] {
  return (customer?.payment_methods ?? []).flatMap(({ id, card }) => {
    if (!card) return [];
    const expires = `${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year).slice(-2)}`;
    return [{ id, name: `${BRANDS[card.brand] ?? card.brand} ending in ${card.last4}`, expires }];
  });
}
