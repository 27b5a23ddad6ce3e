import { expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { createStringSharing } from '../../../src/audit/facts/parse/sharedStrings.ts';

function facts(name: string) {
  const html = `<html lang="en"><script src="/a.js"></script><nav lang="de"><a href="/">Start</a><a href="https://example.com/b" title="B"></a></nav>
    <header><img src="/${name}.png" alt="${name}"><img src="https://example.com/c.png"></header><a href="#${name}">${name}</a><a href="mailto:a@b.c">Mail</a>`;
  return parsePage({
    url: `https://example.com/${name}`,
    body: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
  });
}

test.each([[20_000], [3]])('sharing strings does not change the facts, with %i remembered', (maxTexts) => {
  const share = createStringSharing(maxTexts);
  for (const name of ['one', 'two', 'one']) {
    const page = facts(name);
    share(page);
    expect(page).toEqual(facts(name));
  }
});
