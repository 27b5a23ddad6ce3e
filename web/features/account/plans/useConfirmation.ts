import { useEffect, useRef, useState } from 'react';
import { useGetSubscriptionQuery } from '../subscription/subscriptionApi.ts';
import { useSyncMutation } from './plansApi.ts';

const EVERY_MS = 2_000;
const FOR_MS = 20_000;

/** `late`: the provider has not confirmed it yet; the page goes on by itself when it has. */
export type Confirmation = 'confirming' | 'confirmed' | 'late';

/** Of who comes back from the checkout. Landing is no proof of a payment: the subscription is. Null: nobody has landed. */
export function useConfirmation(landed: boolean, isSubscribed: boolean): Confirmation | null {
  const [late, setLate] = useState(false);
  const [sync] = useSyncMutation();
  const synced = useRef(false);
  const confirming = landed && !isSubscribed && !late;
  useGetSubscriptionQuery(undefined, { pollingInterval: confirming ? EVERY_MS : 0 });
  useEffect(() => {
    if (!landed || synced.current) return;
    synced.current = true;
    // The status is read again after it, whether it worked or not.
    void sync();
  }, [landed, sync]);
  useEffect(() => {
    if (!landed) return;
    const timer = setTimeout(() => setLate(true), FOR_MS);
    return () => clearTimeout(timer);
  }, [landed]);
  if (!landed) return null;
  return isSubscribed ? 'confirmed' : confirming ? 'confirming' : 'late';
}
