import { useSelector } from 'react-redux';
import { selectVersion } from '../api/system.ts';
import { PRODUCT_NAME } from '../ui/product.ts';

export function Footer() {
  // Hidden while the page is only a spinner, so that it does not visibly jump when the content arrives.
  return (
    <footer className="border-t border-line peer-has-[>[role=status]:last-child]:invisible print:hidden">
      <p className="px-4 py-4 text-sm text-muted sm:px-6">
        {PRODUCT_NAME} <span className="tabular-nums">version {useSelector(selectVersion)}</span>
      </p>
    </footer>
  );
}
