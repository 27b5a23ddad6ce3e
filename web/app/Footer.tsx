import { useSelector } from 'react-redux';
import { selectVersion } from '../api/system.ts';
import { PRODUCT_NAME } from '../ui/product.ts';

export function Footer() {
  return (
    <footer className="border-t border-line print:hidden">
      <p className="mx-auto max-w-[1680px] px-4 py-4 text-sm text-muted sm:px-6">
        {PRODUCT_NAME} <span className="tabular-nums">version {useSelector(selectVersion)}</span>
      </p>
    </footer>
  );
}
