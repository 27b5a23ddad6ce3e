import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector, useStore } from 'react-redux';
import {
  addFunds,
  reloadSubscription,
  useGetSubscriptionQuery,
} from '../../features/account/subscription/subscriptionApi.ts';
import { selectUser } from '../../features/auth/authSlice.ts';
import { refreshProfile } from '../../features/auth/session.ts';
import { PurchaseDialog, type PurchaseDialogProps } from '../../features/payments/PurchaseDialog.tsx';
import type { AppStore, UserData } from '../store.ts';
import { useReturnedPayment } from './useReturnedPayment.ts';

/** Purchase of reports by the logged-in user, from wherever it was opened. */
export function Purchase({ refusal, onClose }: Pick<PurchaseDialogProps, 'refusal' | 'onClose'>) {
  const store = useStore() as AppStore;
  const dispatch = useDispatch<ThunkDispatch<UserData, unknown, UnknownAction>>();
  const returned = useReturnedPayment();
  const user = useSelector(selectUser);
  const { data } = useGetSubscriptionQuery();
  const bought = (funds: number): void => {
    // Shown at once, then replaced by the server's figure.
    if (funds > 0) dispatch(addFunds(funds));
    dispatch(reloadSubscription());
    void refreshProfile(store);
  };
  return (
    <PurchaseDialog
      refusal={refusal}
      balance={data?.balance.funds ?? null}
      accountEmail={user?.email ?? ''}
      returned={returned}
      onBought={bought}
      onClose={onClose}
    />
  );
}
