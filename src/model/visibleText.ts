/** Characters that turn the direction of the text around them, and show nothing themselves. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Texts of others with such characters written out, such as `[U+202E]`: a title cannot read as what it is not. */
export const visibleText = (text: string): string =>
  text.replace(TURNING, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`);
