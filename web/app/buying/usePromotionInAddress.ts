import { useEffect } from 'react';

/**
 * Keeps a promotion code from any address for the tab. Few addresses have one, so the module that stores it is loaded
 * on demand.
 */
export function usePromotionInAddress(search: string): void {
  useEffect(() => {
    if (/[?&](discount|promo)=/.test(search))
      void import('../../api/promotionCode.ts').then(({ keepCodeOf }) => keepCodeOf(search)).catch(() => undefined);
  }, [search]);
}
