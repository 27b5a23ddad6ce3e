import { expect, test } from 'vitest';
import { headerAt } from '../../src/model/issues/relations.ts';

test.each([
  ['header content-encoding', 'content-encoding'],
  ['header X-Robots-Tag', 'x-robots-tag'],
  ['header link', 'link'],
  ['header a[href="/"]', null],
  ['header img', null],
  ['header nav > a:nth-of-type(2)', null],
  ['header > my-menu > a', null],
  ['main', null],
  ['', null],
])('what "%s" names is %s', (place, name) => {
  expect(headerAt(place)).toBe(name);
});
