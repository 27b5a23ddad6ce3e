import { useEffect, useRef, useState } from 'react';
import { forgetPromotionCode, usePromotionCode } from '../../api/promotionCode.ts';
import { type CheckedCode, useValidateDiscountMutation } from './paymentsApi.ts';
import { failureText } from './purchase.ts';

export interface DiscountCode {
  readonly typed: string;
  readonly type: (code: string) => void;
  /** What the code that stands there takes off, once the server has said so. */
  readonly checked: CheckedCode | null;
  readonly problem: string | null;
  readonly busy: boolean;
  /** True: the purchase can go on, with or without a code. */
  readonly check: () => Promise<CheckedCode | 'none' | null>;
  /** The server has changed its mind. */
  readonly refuse: (text: string) => void;
  /** The one that came with an address. */
  readonly promotion: string | null;
}

const INVALID = 'Invalid discount code';

/** The optional code: asked of the server when there is one, and again only when it was changed. One of the address is asked at once. */
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
    // Another code that was typed says nothing of that of the address.
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
