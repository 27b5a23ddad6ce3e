/** Advice only: the one rule is the length. */
export type Strength = 'weak' | 'fair' | 'good' | 'strong';

const COMMON = /^(?:password|passwort|qwerty|letmein|welcome|admin|abc123|iloveyou|123456\d*|111111+)/i;

export function passwordStrength(password: string): Strength {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  if (password.length < 8 || distinct < 5 || COMMON.test(password)) return 'weak';
  const points = password.length + kinds * 2 + Math.min(distinct, 12) / 2;
  if (points < 18) return 'fair';
  return points < 25 ? 'good' : 'strong';
}
