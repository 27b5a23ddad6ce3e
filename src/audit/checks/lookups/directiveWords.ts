/** `NoIndex, follow` as `noindex`, `follow`. */
export function directiveWords(content: string): string[] {
  return content
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
