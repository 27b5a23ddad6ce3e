import { useEffect, useRef, useState } from 'react';
import { forgetPromotionCode, usePromotionCode } from '../../api/promotionCode.ts';
import { type CheckedCode, useValidateDiscountMutation } from './paymentsApi.ts';
import { failureText } from './purchase.ts';

export interface DiscountCode {
  readonly typed: string;
  readonly type: (code: string) => void;
  /** The discount of the current code, once the server has confirmed it. */
  readonly checked: CheckedCode | null;
  readonly problem: string | null;
  readonly busy: boolean;
  /** 'none' without a code, null when it is invalid; otherwise the purchase can continue. */
  readonly check: () => Promise<CheckedCode | 'none' | null>;
  /** Called when the server refuses the code after all. */
  readonly refuse: (text: string) => void;
  /** The code from the page's address. */
  readonly promotion: string | null;
}

const INVALID = 'Invalid discount code';

/**
 * The optional discount code: checked with the server if present, and again only after a change. A code from the
 * address is checked at once.
 */
export function useDiscountCode(): DiscountCode {
  const promotion = usePromotionCode();
  const [typed, setTyped] = useState(promotion ?? '');
  const [answer, setAnswer] = useState<{ readonly code: string; readonly checked: CheckedCode } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [validate, { isLoading: busy }] = useValidateDiscountMutation();
  const code = typed.trim();
  const checked = answer?.code === code ? answer.checked : null;
  const refuse = (text: string): void => {
    setAnswer(null);
    setProblem(text);
    // A refusal of another, typed code does not affect the one from the address.
    if (code.toLowerCase() === promotion?.toLowerCase()) forgetPromotionCode();
  };
  const check = async (): Promise<CheckedCode | 'none' | null> => {
    setProblem(null);
    if (code === '') return 'none';
    if (checked) return checked;
    const { data, error } = await validate(code);
    if (data?.valid) {
      setAnswer({ code, checked: data });
      return data;
    }
    if (data) refuse(data.error || INVALID);
    else setProblem(failureText(error, INVALID, 'Failed to validate discount code'));
    return null;
  };
  const first = useRef(check);
  useEffect(() => void first.current(), []);
  const type = (text: string): void => {
    setTyped(text);
    setProblem(null);
  };
  return { typed, type, checked, problem, busy, check, refuse, promotion };
}
