import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../ui/paths.ts';
import { useGetSubscriptionQuery } from '../subscription/subscriptionApi.ts';
import { useSyncMutation } from './plansApi.ts';

const EVERY_MS = 2_000;
const FOR_MS = 20_000;

/** `late`: the provider has not confirmed it yet; the page updates once it does. */
export type Confirmation = 'confirming' | 'confirmed' | 'late';

/**
 * State of a purchase after returning from the checkout; null if the user did not. The return proves no payment, only
 * the subscription does. `returned` counts when the page is opened: once confirmed, its address no longer says so, as a
 * reload or bookmark would then speak of another payment.
 */
export function useConfirmation(returned: boolean, isSubscribed: boolean): Confirmation | null {
  const [landed] = useState(returned);
  const navigate = useNavigate();
  const [late, setLate] = useState(false);
  const [sync] = useSyncMutation();
  const synced = useRef(false);
  const confirming = landed && !isSubscribed && !late;
  useGetSubscriptionQuery(undefined, { pollingInterval: confirming ? EVERY_MS : 0 });
  useEffect(() => {
    if (!landed || synced.current) return;
    synced.current = true;
    // The status is refetched afterwards, whether or not the sync worked.
    void sync();
  }, [landed, sync]);
  useEffect(() => {
    if (!landed) return;
    const timer = setTimeout(() => setLate(true), FOR_MS);
    return () => clearTimeout(timer);
  }, [landed]);
  const confirmed = landed && isSubscribed;
  useEffect(() => {
    if (confirmed) void navigate(paths.plans, { replace: true });
  }, [confirmed, navigate]);
  if (!landed) return null;
  return isSubscribed ? 'confirmed' : confirming ? 'confirming' : 'late';
}
