import { describe, expect, it } from 'vitest';
import { email as emailSchema } from '../../src/http/contract/auth.ts';
import {
  beginningOfEmail,
  isEmailAddress,
  mailtoOf,
  maskedEmail,
  normaliseEmail,
  withAsciiDomain,
} from '../../src/model/emailAddress.ts';

const accepted = (text: string): string | null => emailSchema.safeParse(text).data ?? null;

describe('an address with an internationalized domain', () => {
  it.each([
    ['user@bücher.example', 'user@xn--bcher-kva.example'],
    ['user@bu\u0308cher.example', 'user@xn--bcher-kva.example'],
    ['USER@BÜCHER.EXAMPLE', 'user@xn--bcher-kva.example'],
    ['user@XN--BCHER-KVA.example', 'user@xn--bcher-kva.example'],
    ['user@bücher。example', 'user@xn--bcher-kva.example'],
    ['user@bücher．example', 'user@xn--bcher-kva.example'],
    ['user@bücher｡example', 'user@xn--bcher-kva.example'],
    ['user@mail.ＢÜcher.example', 'user@mail.xn--bcher-kva.example'],
    ['user@ｅｘａｍｐｌｅ。ｃｏｍ', 'user@example.com'],
    ['user@exa\u00admple.com', 'user@example.com'],
    ['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
    ['user@xn--e1afmkfd.xn--p1ai', 'user@xn--e1afmkfd.xn--p1ai'],
    ['user@straße.example', 'user@xn--strae-oqa.example'],
    ['user@例え.テスト', 'user@xn--r8jz45g.xn--zckzah'],
    ['  user@bücher.example\n', 'user@xn--bcher-kva.example'],
  ])('%j is %s', (typed, address) => {
    expect(normaliseEmail(typed)).toBe(address);
    expect(normaliseEmail(accepted(typed) ?? '')).toBe(address);
    expect(normaliseEmail(address)).toBe(address);
  });

  it.each([
    'user@bü cher.example',
    'user@bü\tcher.example',
    'user@bü/cher.example',
    'user@bücher.example:25',
    'user@bücher.example?x',
    'user@bücher.example#x',
    'user@b%C3%BCcher.example',
    'user@bü%63her.example',
    'user@bücher\\.example',
    'user@[bücher].example',
    'user@bü_cher..example',
    'user@.bücher.example',
    'user@bücher.example.',
    'user@bücher',
    'user@１２７。０。０。１',
    'user@bücher.１',
    'user@xn--a.example',
    'user@bücher.xn--a',
    'user@ａ／b.example',
    'user@a％2eb.example',
    'user@b\ud800.example',
    `user@${'ü'.repeat(60)}.example`,
    `user@${'ü.'.repeat(60)}example`,
    'üser@bücher.example',
    'user＠bücher.example',
    '@bücher.example',
    'a@b＠ü.example',
    'user@bücher.example@',
    'user@\u202ebücher.example\u202c',
    'user@bü\u0000cher.example',
    'bücher.example',
  ])('%j is refused, with the usual text', (typed) => {
    expect(emailSchema.safeParse(typed).error?.issues).toMatchObject([
      { message: 'Please enter a valid email address' },
    ]);
    expect(() => normaliseEmail(typed)).not.toThrow();
  });
});

describe('an address', () => {
  it.each([
    'ann@example.com',
    'a/b=x@example.com',
    'ann+seo@example.com',
    "o'hara@example.co.uk",
    "!#$%&'*+-/=?^_`{|}~@example.com",
    'a@b.cd',
    'a.b.c@x-y.example',
    '-a-@example.com',
    '1@1.example',
    'a@1--2.example',
    `${'a'.repeat(64)}@example.com`,
  ])('%s is taken as it is', (typed) => {
    expect(accepted(typed)).toBe(typed);
  });

  it.each([
    '',
    'ann',
    'ann@',
    '@example.com',
    'ann@example',
    'ann@@example.com',
    'a@b@example.com',
    '.ann@example.com',
    'ann.@example.com',
    'a..n@example.com',
    'a n@example.com',
    '"ann"@example.com',
    'ann(x)@example.com',
    'ann@-example.com',
    'ann@example..com',
    'ann@example.c',
    'ann@example.12',
    'ann@127.0.0.1',
    'ann@[127.0.0.1]',
    'ann<x>@example.com',
    'ann,bob@example.com',
    'ann;bob@example.com',
    'ann:x@example.com',
    'ann\\x@example.com',
    'ann\r\nBcc:x@example.com',
    `a@${'x'.repeat(64)}.com`,
    `${'a'.repeat(250)}@example.com`,
    'ånn@example.com',
    'ann@exa_mple.com',
    '\u212aim@example.com',
  ])('%j is refused', (typed) => {
    expect(accepted(typed)).toBeNull();
  });

  it('that was accepted before keeps its canonical form', () => {
    for (const text of ['Ann.Smith+x@Example.COM', 'ann@xn--a.example', 'ann@localhost', 'no address', ''])
      expect(normaliseEmail(text)).toBe(text.toLowerCase());
    expect(normaliseEmail(' jose\u0301@example.com ')).toBe('jos\u00e9@example.com');
  });

  it('is found by its beginning, also within its domain', () => {
    expect(beginningOfEmail(' Ann@Exa')).toBe('ann@exa');
    expect(beginningOfEmail('ann')).toBe('ann');
    const stored = normaliseEmail('user@mail.bücher.example');
    for (const typed of [
      'user@',
      'user@mail',
      'user@mail.bü',
      'user@mail.bücher',
      'user@mail.bücher.',
      'user@mail.bücher.exa',
      'USER@MAIL.BU\u0308',
    ]) {
      expect(stored.startsWith(beginningOfEmail(typed))).toBe(true);
    }
    expect(beginningOfEmail('user@bücher.example')).toBe('user@xn--bcher-kva.example');
    expect(beginningOfEmail('user@пример.рф')).toBe('user@xn--e1afmkfd.xn--');
  });

  it('is one address in a link, and masked shows its domain alone', () => {
    expect(mailtoOf('support@example.com')).toBe('mailto:support@example.com');
    expect(mailtoOf('a?b&c%d/x@example.com')).toBe('mailto:a%3Fb%26c%25d%2Fx@example.com');
    expect(maskedEmail('ann.smith@example.com')).toBe('a…@example.com');
  });
});

describe('an address longer than any that is accepted', () => {
  // Converting a label costs the square of its length.
  it('is not converted', () => {
    const long = `a@${'\u4e00'.repeat(400)}.example`;
    expect([withAsciiDomain(long), isEmailAddress(long)]).toEqual([long, false]);
  });
});
