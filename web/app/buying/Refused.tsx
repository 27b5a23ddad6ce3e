import { useSelector } from 'react-redux';
import { selectStatus } from '../../api/system.ts';
import { AllowanceDialog } from '../../features/account/subscription/AllowanceDialog.tsx';
import type { CreditsRefusal } from '../../features/jobs/jobsSlice.ts';
import { lazily } from '../../ui/lazily.ts';

const Purchase = lazily(() => import('./Purchase.tsx'), 'Purchase');

/** A submission exceeded the balance: offers a purchase where anything is sold. */
export function Refused({ refusal, onClose }: { refusal: CreditsRefusal; onClose: () => void }) {
  const status = useSelector(selectStatus);
  const { required, available } = refusal;
  return status && status.payments !== 'off' ? (
    <Purchase refusal={refusal} onClose={onClose} />
  ) : (
    <AllowanceDialog {...{ required, available }} onClose={onClose} />
  );
}
