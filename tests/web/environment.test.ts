/** The trimmed style sheet of `environment.ts` still hides what a browser hides. */
import { afterEach, expect, it } from 'vitest';

afterEach(() => document.body.replaceChildren());

function styleOf(html: string): CSSStyleDeclaration {
  document.body.innerHTML = html;
  return getComputedStyle(document.body.firstElementChild!);
}

it.each(['<div hidden>', '<dialog>', '<input type="hidden">', '<template>', '<div popover>'])('hides %s', (html) => {
  expect(styleOf(html).display).toBe('none');
});

it.each([
  ['<div>', 'block'],
  ['<dialog open>', 'block'],
  ['<button>', 'inline-block'],
  ['<li>', 'list-item'],
  ['<table>', 'table'],
])('displays %s as %s', (html, display) => {
  expect(styleOf(html).display).toBe(display);
});

it('has no rules about appearance, which would slow every search', () => {
  expect(styleOf('<strong>').fontWeight).not.toBe('bolder');
});
