import { usePromotionCode } from '../../api/promotionCode.ts';
import { Notice } from '../../ui/Notice.tsx';

/** Confirms that the code in the address was noticed. */
export function PromotionNote() {
  const code = usePromotionCode();
  if (!code) return null;
  return (
    <Notice tone="good">
      <p role="status">Promotion code {code} will be applied at checkout.</p>
    </Notice>
  );
}
