import { useEffect } from 'react';

/** A code in any address is kept for the tab. Few addresses have one: what keeps it is loaded then. */
export function usePromotionInAddress(search: string): void {
  useEffect(() => {
    if (/[?&](discount|promo)=/.test(search)) void import('../../api/promotionCode.ts').then(({ keepCodeOf }) => keepCodeOf(search)).catch(() => undefined);
  }, [search]);
}
