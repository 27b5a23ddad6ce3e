/**
 * The forms in which a typed password is compared, without repetitions: as typed, then in NFC, then in NFKC. Keyboards
 * write an accented letter as one character or as two, and hashes from before passwords were stored in NFC may be of
 * either. An all-ASCII password has one form. NFKC may be up to 18 times as long as what was typed, which the limit on
 * a password's length keeps small.
 */
export function passwordForms(password: string): readonly string[] {
  return [...new Set([password, password.normalize('NFC'), password.normalize('NFKC')])];
}

/** The form that is stored. */
export const storedPasswordForm = (password: string): string => password.normalize('NFC');
