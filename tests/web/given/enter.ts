import type { UserEvent } from '@testing-library/user-event';

/**
 * Puts a text into a field at once, like a password manager. Typing it key by key takes many times as long, and is for
 * tests about what is typed.
 */
export async function enter(user: UserEvent, field: Element, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}
