import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Markdown } from '../../../web/ui/text/Markdown.tsx';
import { HOSTILE_MARKDOWN } from '../../given/hostileMarkdown.ts';

const SAFE = /^(?:https?:|ircs?:|mailto:|xmpp:|[^:]*$)/i;

const HOSTILE = [
  '[a](javascript:alert(1))',
  '[a](JAVASCRIPT:alert(1))',
  '[a](java\tscript:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](&#x6A;&#x61;vascript:alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '[a](vbscript:msgbox)',
  '[a][b]\n\n[b]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![a](javascript:alert(1))',
  '![a](https://evil.example/x.png)',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">a</a>',
  '<style>*{display:none}</style>',
  '<form action="https://evil.example"><input></form>',
  '<details open ontoggle=alert(1)>',
  '[a](<javascript:alert(1)> "title")',
  '| a |\n|---|\n| [x](javascript:alert(1)) |',
  '[^1]\n\n[^1]: [x](javascript:alert(1))',
];

describe('rendered markdown', () => {
  it.each([...HOSTILE, ...HOSTILE_MARKDOWN])('is sanitized: %s', (text) => {
    const { container } = render(<Markdown text={text} />);
    expect(container.querySelector('script, style, iframe, img, svg, form, object, embed, link, meta')).toBeNull();
    for (const element of container.querySelectorAll('*')) {
      for (const { name } of element.attributes) expect(name.startsWith('on')).toBe(false);
      const href = element.getAttribute('href');
      if (href !== null) expect(href).toMatch(SAFE);
    }
  });

  it('keeps safe links and opens them in a new tab', () => {
    render(<Markdown text={'[site](https://example.com/a) [mail](mailto:a@example.com) [here](/path)'} />);
    expect(screen.getByRole('link', { name: 'site' })).toHaveAttribute('href', 'https://example.com/a');
    expect(screen.getByRole('link', { name: 'mail' })).toHaveAttribute('href', 'mailto:a@example.com');
    expect(screen.getByRole('link', { name: 'here' })).toHaveAttribute('href', '/path');
    for (const link of screen.getAllByRole('link')) {
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    }
  });

  it('has headings below those of the page, tables and lists', () => {
    render(<Markdown text={'# One\n\n## Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n- y'} />);
    expect(screen.getByRole('heading', { level: 3, name: 'One' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 4, name: 'Two' })).toBeVisible();
    expect(screen.getByRole('table')).toHaveTextContent('a b 1 2'.replaceAll(' ', ''));
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  it('labels the checkboxes of task lists', () => {
    render(<Markdown text={'- [x] one\n- [ ] two'} />);
    expect(screen.getByRole('checkbox', { name: 'done' })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'to do' })).not.toBeChecked();
  });
});
