import { DEFAULT_VERSION, useGetVersionQuery } from '../api/system.ts';
import { PRODUCT_NAME } from '../ui/product.ts';

export function Footer() {
  const { data } = useGetVersionQuery();
  return (
    <footer className="border-t border-line">
      <p className="mx-auto max-w-[1680px] px-4 py-4 text-sm text-muted sm:px-6">
        {PRODUCT_NAME} <span className="tabular-nums">version {data ?? DEFAULT_VERSION}</span>
      </p>
    </footer>
  );
}
