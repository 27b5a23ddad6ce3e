import { afterEach, describe, expect, it } from 'vitest';
import { focusCard } from '../../../../web/features/actions/board/spotlight.ts';

afterEach(() => {
  document.body.replaceChildren();
});

describe('the focused card', () => {
  it.each([
    ['the page', '<main tabindex="-1" data-at></main>', 'action-one'],
    ['a button', '<button data-at>Undo</button>', 'action-one'],
    ['a field that somebody types into', '<input data-at>', null],
    ['a choice', '<select data-at></select>', null],
    ['a dialog', '<div role="dialog"><button data-at>Start</button></div>', null],
  ])('gets focus from %s, unless the user is typing or in a dialog', (_from, html, focused) => {
    document.body.innerHTML = `<article data-action="one"><a id="action-one" href="#one">One</a></article>${html}`;
    const from = document.querySelector<HTMLElement>('[data-at]');
    from?.focus();
    Element.prototype.scrollIntoView ??= () => undefined;
    expect(focusCard({ actionId: 'one' })).toBe(true);
    expect(document.activeElement).toBe(focused === null ? from : document.getElementById(focused));
  });

  it('reports when it is not on the page', () => {
    expect(focusCard({ actionId: 'two' })).toBe(false);
  });
});
