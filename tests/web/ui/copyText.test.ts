import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyText } from '../../../web/ui/copyText.ts';

/**
 * A browser that copies what is selected, unless the page puts something else on the clipboard. jsdom has no such
 * command.
 */
function browserCopies(answer: boolean | Error): { readonly copied: string[]; readonly places: (string | null)[] } {
  const copied: string[] = [];
  const places: (string | null)[] = [];
  const execCommand = (command: string): boolean => {
    expect(command).toBe('copy');
    if (answer instanceof Error) throw answer;
    const selected = getSelection();
    places.push(selected?.anchorNode?.parentElement?.closest('[role], body')?.getAttribute('role') ?? null);
    const event = new Event('copy', { bubbles: true, cancelable: true });
    let text = selected?.toString() ?? '';
    Object.assign(event, { clipboardData: { setData: (_: string, data: string) => (text = data) } });
    document.body.dispatchEvent(event);
    if (answer) copied.push(text);
    return answer;
  };
  Object.defineProperty(document, 'execCommand', { configurable: true, value: execCommand });
  return { copied, places };
}

function clipboard(value: unknown): void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value });
}

beforeEach(() => {
  document.body.innerHTML =
    '<p>a passage</p><input value="an address"><div role="dialog"><button>Copy link</button></div>';
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(document, 'execCommand');
  document.body.innerHTML = '';
});

describe('copying', () => {
  it('uses the clipboard where there is one', async () => {
    const writeText = vi.fn().mockResolvedValue(undefined);
    clipboard({ writeText });
    const { copied } = browserCopies(true);
    await copyText('https://seo.example/shared/1');
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://seo.example/shared/1');
    expect(copied).toEqual([]);
  });

  it.each([
    ['on plain http, which has none', undefined],
    ['where it refuses', { writeText: () => Promise.reject(new Error('denied')) }],
  ])('copies a selection %s', async (_, value) => {
    clipboard(value);
    const { copied } = browserCopies(true);
    const text = 'two\nlines  and <b>signs</b>';
    await copyText(text);
    expect(copied).toEqual([text]);
  });

  it('happens within the click on plain http, as browsers require', () => {
    clipboard(undefined);
    const { copied } = browserCopies(true);
    void copyText('now');
    expect(copied).toEqual(['now']);
  });

  it('selects inside the dialog that has the focus', async () => {
    clipboard(undefined);
    const { places } = browserCopies(true);
    document.querySelector('button')?.focus();
    await copyText('a link');
    document.querySelector('input')?.focus();
    await copyText('a link');
    expect(places).toEqual(['dialog', null]);
  });

  it.each([true, false, new Error('not here')])(
    'leaves the page as it was when the browser says %s',
    async (answer) => {
      clipboard(undefined);
      browserCopies(answer);
      const before = document.body.innerHTML;
      document.querySelector('button')?.focus();
      getSelection()?.selectAllChildren(document.querySelector('p') as Element);
      await copyText('a link').catch(() => undefined);
      expect(document.body.innerHTML).toBe(before);
      expect(document.querySelector('button')).toBe(document.activeElement);
      expect(String(getSelection())).toBe('a passage');
      const later = vi.fn();
      document.addEventListener('copy', (event) => later(event.defaultPrevented), { once: true });
      document.body.dispatchEvent(new Event('copy', { bubbles: true, cancelable: true }));
      expect(later).toHaveBeenCalledExactlyOnceWith(false);
    },
  );

  it.each([
    ['refuses', () => void browserCopies(false)],
    ['throws', () => void browserCopies(new Error('not here'))],
    ['cannot', () => undefined],
  ])('fails where the browser %s', async (_, given) => {
    clipboard(undefined);
    given();
    await expect(copyText('a link')).rejects.toThrow('refused');
  });
});
