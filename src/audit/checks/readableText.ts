/** Letters that an address writes with percent signs, as people read them: `/stra%C3%9Fe` is `/straße`. Signs that could deceive stay coded. */
export function readableText(text: string): string {
  return text.replace(/(?:%[89a-f][0-9a-f])+/gi, (coded) => {
    try {
      const letters = decodeURIComponent(coded);
      return /^[\p{L}\p{M}\p{N}]+$/u.test(letters) ? letters : coded;
    } catch {
      return coded;
    }
  });
}
