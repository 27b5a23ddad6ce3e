import { useEffect } from 'react';
import { PRODUCT_NAME } from './product.ts';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  }, [title]);
}
