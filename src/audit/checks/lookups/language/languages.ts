/** Languages by name, for messages. */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** `German` for `de`; the code itself if it is unknown. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
