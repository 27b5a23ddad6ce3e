import { describe, expect, it } from 'vitest';
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

  it('parses any text quickly', () => {
    for (const text of [
      '*'.repeat(20_000),
      '['.repeat(20_000),
      '**a'.repeat(6_000),
      '[a]('.repeat(5_000),
      '_a'.repeat(10_000),
      '# '.repeat(10_000),
      'https://'.repeat(2_500),
    ]) {
      const began = performance.now();
      markdownBlocks(text);
      expect(performance.now() - began).toBeLessThan(2_000);
    }
    expect(putAway('\ue02aAnn')).toBe('Ann');
  });
});

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

  it('can be previewed before it is sent', () => {
    const { subject, text, html } = previewSequenceMail(surroundings, {
      subject: 'Hi {{user_name}}',
      content: 'Since {{signup_date}}',
    });
    expect([subject, text.split('\n\n')[1]]).toEqual(['Hi Alex Morgan', 'Since March 10, 2026']);
    expect(html).toContain('Since March 10, 2026');
  });
});
