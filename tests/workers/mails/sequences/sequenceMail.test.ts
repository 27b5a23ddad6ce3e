import { describe, expect, it, vi } from 'vitest';
import { renderMail } from '../../../../src/workers/mails/layout.ts';
import { markdownBlocks, putAway } from '../../../../src/workers/mails/sequences/markdown.ts';
import { fillPlaceholders, placeholderFaults } from '../../../../src/workers/mails/sequences/placeholders.ts';
import {
  previewSequenceMail,
  sentFooter,
  sequenceMail,
  templateFaults,
} from '../../../../src/workers/mails/sequences/sequenceMail.ts';

const values = {
  user_name: 'Ann',
  user_email: 'ann@example.com',
  app_url: 'https://seo.example.com',
  support_email: 'help@example.com',
  company_name: 'Example',
  signup_date: 'March 10, 2026',
};
const surroundings = { appUrl: values.app_url, supportEmail: values.support_email, companyName: values.company_name };
const reader = { name: 'Ann', email: 'ann@example.com', registeredAt: '2026-03-10T23:59:00.000Z' };
const rendered = (content: string, name = 'Ann') =>
  renderMail(sequenceMail(surroundings, { subject: 'S', content }, { ...reader, name }, []));

describe('placeholders', () => {
  it('are filled in, with filters, conditions and loops', () => {
    expect(
      fillPlaceholders(
        '{{user_name}} {{ user_email }} {{app_url}} {{support_email}} {{company_name}} {{signup_date}}',
        values,
      ),
    ).toBe(Object.values(values).join(' '));
    expect(fillPlaceholders('{{ user_name | upcase | append: "!" }}', values)).toBe('ANN!');
    expect(
      fillPlaceholders(
        '{% if user_name == "Ann" %}a{% else %}b{% endif %}{% for i in (1..3) %}{{ i }}{% endfor %}',
        values,
      ),
    ).toBe('a123');
  });

  it.each([
    ['Hi\n\n{{ user_nam }}', 3, 'There is no placeholder {{user_nam}}.'],
    ['{% if admin %}x{% endif %}', 1, 'There is no placeholder {{admin}}.'],
    ['a\n{{ user_name', 2, 'not closed'],
    ['a\n{{ user_name | sha256 }}', 2, 'filter'],
    ['a\n{% include "x" %}', 2, 'tag "include" not found'],
    ['{% assign a = 1 %}', 1, 'tag "assign" not found'],
    ['{% capture a %}{% endcapture %}', 1, 'not found'],
    ['{{ user_name.constructor }}', 1, 'undefined variable'],
    [
      '{% for i in (1..1000000000) %}{% for j in (1..1000000000) %}x{% endfor %}{% endfor %}',
      1,
      'It takes too long or becomes too large.',
    ],
    ['{% for i in (1..7000) %}xxxxxxxxxx{% endfor %}', 1, 'It becomes longer than 60000 characters.'],
    ['{% if user_name %}', 1, 'not closed'],
  ])('that are invalid are refused with their line: %s', (text, line, message) => {
    const [fault] = placeholderFaults(text);
    expect(fault?.line).toBe(line);
    expect(fault?.message.toLowerCase()).toContain(message.toLowerCase());
  });

  it('are validated in the subject, too', () => {
    expect(templateFaults({ subject: '{{x}}', content: 'ok\n{{y}}' })).toEqual([
      { field: 'subject', line: 1, message: 'There is no placeholder {{x}}.' },
      { field: 'content', line: 2, message: 'There is no placeholder {{y}}.' },
    ]);
    expect(templateFaults({ subject: '{{user_name}}', content: 'ok' })).toEqual([]);
  });
});

describe('the Markdown of an email', () => {
  it('is the same as text and as HTML', () => {
    const { text, html } = rendered(
      '# Title\nHi **{{user_name}}**, see [the docs](https://example.com/a?b=1&c=2).\nSecond *line* and `code`\n\n- one\n- two\n\n1. first\n2. second\n\n---\n\n[Open]({{app_url}}/x)',
    );
    expect(text).toContain(
      'Title\n\nHi Ann, see the docs (https://example.com/a?b=1&c=2).\nSecond line and code\n\n- one\n- two\n\n1. first\n2. second\n\n----\n\nOpen:\nhttps://seo.example.com/x',
    );
    for (const part of [
      '<h2',
      '<strong>Ann</strong>',
      '<em>line</em>',
      '<code>code</code>',
      '<li style="margin:0 0 6px">one</li>',
      '<ol',
      '<hr',
      '<br>',
    ])
      expect(html).toContain(part);
    expect(html).toContain('<a href="https://example.com/a?b=1&amp;c=2"');
    expect(html).toMatch(/<a href="https:\/\/seo\.example\.com\/x" style="display:inline-block/);
  });

  it('allows no markup, neither from the template nor from a name', () => {
    const { html } = rendered(
      '<script>alert(1)</script> [x](javascript:alert(1)) [y](data:text/html,x) {{user_name}}',
      '<img src=x onerror=alert(1)>',
    );
    expect(html).not.toMatch(/<script|<img|href="(?:javascript|data):/);
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('shows a name literally, whatever characters it has, also through filters', () => {
    const name = '**[Win](https://evil.example)** _x_ https://evil.example # `a`';
    const { text, html } = rendered('Hi {{ user_name | upcase }} and {{user_name}}', name);
    expect(text).toContain(name);
    expect(text).toContain(name.toUpperCase());
    expect(html).not.toMatch(/<strong>|<em>|href="https:\/\/evil/);
    expect(html).toContain('**[Win](https://evil.example)**');
  });

  it('begins a new block at a heading, a rule after one, and an item, without a blank line', () => {
    const textsOf = (content: string) => markdownBlocks(content).map((block) => 'text' in block && block.text);
    expect(textsOf('# a\n---\ntext\nmore\n- b\n- c')).toEqual(['a', '----', 'text\nmore', '- b\n- c']);
    expect(textsOf('text\n---\n## a\n \t\n***')).toEqual(['text\n---', 'a', '----']);
    expect(textsOf('- a\n- b\ntext')).toEqual(['- a', '- b\ntext']);
    expect(textsOf('1. a\n# b\n2) c\n+ d')).toEqual(['1. a', 'b', '1. c\n2. d']);
    expect(textsOf('#\n# \n#a\n#### b\n  -  c')).toEqual(['#', '#\n#a\n#### b', '- c']);
  });

  it('ends lines at the separators of Unicode, too', () => {
    expect(markdownBlocks('# a\u2028b\u2029\u2028- c').map((block) => 'text' in block && block.text)).toEqual([
      'a',
      'b',
      '- c',
    ]);
  });

  it('removes the marks of protected characters from values', () => {
    expect(putAway('\ue02aAnn')).toBe('Ann');
  });

  it.each<[string, (length: number) => string]>([
    ['a heading of tabs', (length) => `# ${'\t'.repeat(length)}\u2028x`],
    ['an item of blanks', (length) => `- ${' '.repeat(length)}\u2028x`],
    ['headings', (length) => '# a\n'.repeat(length / 4)],
    ['rules', (length) => '---\n'.repeat(length / 4)],
    ['texts and items by turns', (length) => 'a\n- b\n'.repeat(length / 6)],
    ['items before a text', (length) => `${'- b\n'.repeat(length / 4)}x`],
    ['stars', (length) => '**a*'.repeat(length / 4)],
    ['open brackets', (length) => '['.repeat(length)],
    ['open links', (length) => '[a]('.repeat(length / 4)],
    ['underscores', (length) => '_a'.repeat(length / 2)],
    ['addresses', (length) => 'https://'.repeat(length / 8)],
  ])('takes work in proportion to the text: %s', (_name, make) => {
    const once = charactersRead(make(15_000));
    expect(once).toBeGreaterThan(0);
    expect(charactersRead(make(60_000))).toBeLessThan(4.1 * once);
  });
});

/** By regular expressions: that none of them takes many steps for each character is a rule of the tree. */
function charactersRead(markdown: string): number {
  let read = 0;
  const { exec } = RegExp.prototype;
  const counting = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    // Splitting a text tries one place after the other.
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const end = match === null ? (this.sticky ? from : text.length) : match.index + match[0].length;
    read += end - from + 1;
    return match;
  });
  try {
    markdownBlocks(markdown);
  } finally {
    counting.mockRestore();
  }
  return read;
}

describe('a sequence email', () => {
  it('has a one-line subject, says why it was sent, and how to unsubscribe', () => {
    const mail = sequenceMail(
      surroundings,
      { subject: 'Hi {{user_name}}', content: 'x' },
      { ...reader, name: 'Ann\r\nBcc: all@example.com' },
      sentFooter(surroundings, 'https://u'),
    );
    expect(mail.subject).toBe('Hi Ann Bcc: all@example.com');
    expect(renderMail(mail).text).toContain(
      'You’re receiving this because you have an account with Example. Unsubscribe: https://u',
    );
  });

  it('without a subject yet has no empty heading in its preview', () => {
    const { html } = renderMail(sequenceMail(surroundings, { subject: '', content: 'Hello' }, reader, []));
    expect(html).not.toContain('<h1');
    expect(html).toContain('<title>SEO Workbench</title>');
  });

  it('that cannot be rendered is a fault of its template, so that it is refused when it is saved', () => {
    const texts = { subject: 'Hi', content: '[Open](https://seo.example.com)' };
    const overflowing = vi.spyOn(URL, 'canParse').mockImplementation(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    try {
      expect(templateFaults(texts)).toEqual([
        { field: 'content', line: 1, message: 'It cannot be made into an email.' },
      ]);
    } finally {
      overflowing.mockRestore();
    }
    expect(templateFaults(texts)).toEqual([]);
  });

  it('can be previewed before it is sent', () => {
    const { subject, text, html } = previewSequenceMail(surroundings, {
      subject: 'Hi {{user_name}}',
      content: 'Since {{signup_date}}',
    });
    expect([subject, text.split('\n\n')[1]]).toEqual(['Hi Alex Morgan', 'Since March 10, 2026']);
    expect(html).toContain('Since March 10, 2026');
  });
});
