/** The layout of emails: one column that every email client can display, and the same in plain text. */

export type MailBlock =
  | { readonly kind: 'text'; readonly text: string }
  /** The purpose of the email: the one link that deserves a button. */
  | { readonly kind: 'button'; readonly label: string; readonly url: string }
  /** The same in both formats. `html` is fully escaped. */
  | { readonly kind: 'rich'; readonly text: string; readonly html: string }
  | { readonly kind: 'figure'; readonly value: string; readonly label: string }
  | {
      readonly kind: 'list';
      readonly title: string;
      readonly items: readonly { readonly title: string; readonly detail: string; readonly url?: string }[];
    };

export type MailContent = {
  readonly subject: string;
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
  /** Small print: why it was sent, and how to unsubscribe. */
  readonly footer: readonly {
    readonly text: string;
    readonly link?: { readonly label: string; readonly url: string };
  }[];
};

export const PRODUCT = 'SEO Workbench';

const INK = '#1c2024';
const MUTED = '#60646c';
export const ACCENT = '#0a5a86';
const LINE = '#e0e1e6';

export function renderMail({ heading, blocks, footer }: MailContent): { readonly text: string; readonly html: string } {
  return { text: textOf(heading, blocks, footer), html: htmlOf(heading, blocks, footer) };
}

function textOf(heading: string, blocks: MailContent['blocks'], footer: MailContent['footer']): string {
  const small = footer.map(({ text, link }) => (link ? `${text} ${link.label}: ${link.url}` : text));
  return [heading, ...blocks.map(textBlock), '-- ', PRODUCT, ...small].join('\n\n').replace('-- \n\n', '-- \n');
}

function textBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'rich':
      return block.text;
    case 'button':
      return `${block.label}:\n${block.url}`;
    case 'figure':
      return `${block.label}: ${block.value}`;
    case 'list':
      return [
        block.title,
        ...block.items.map(({ title, detail, url }, index) =>
          [`${index + 1}. ${title}`, detail, ...(url ? [url] : [])].join('\n   '),
        ),
      ].join('\n');
    default:
      return block satisfies never;
  }
}

function htmlOf(heading: string, blocks: MailContent['blocks'], footer: MailContent['footer']): string {
  const small = footer.map(
    ({ text, link }) =>
      `<p style="margin:0 0 6px">${escaped(text)}${link ? ` ${anchor(link.url, link.label, `color:${MUTED}`)}` : ''}</p>`,
  );
  // The preview of a template that has no subject yet.
  const title =
    heading === '' ? '' : `<h1 style="margin:0 0 14px;font-size:20px;line-height:1.25">${escaped(heading)}</h1>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(heading || PRODUCT)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f7f7f8;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:${INK}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid ${LINE};border-radius:8px"><tr><td style="padding:28px 28px 8px;overflow-wrap:anywhere;word-break:break-word">
<p style="margin:0 0 18px;font-size:13px;font-weight:600;color:${MUTED}">${PRODUCT}</p>
${title}
${blocks.map(htmlBlock).join('\n')}
</td></tr><tr><td style="padding:14px 28px 22px;border-top:1px solid ${LINE};font-size:12px;color:${MUTED}">
${small.join('\n')}
</td></tr></table>
</td></tr></table>
</body></html>
`;
}

function htmlBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'rich':
      return block.html;
    case 'text':
      return `<p style="margin:0 0 16px">${escaped(block.text)}</p>`;
    case 'button':
      return `<p style="margin:4px 0 20px">${anchor(block.url, block.label, `display:inline-block;padding:10px 18px;border-radius:6px;background:${ACCENT};color:#ffffff;text-decoration:none;font-weight:600`)}</p>`;
    case 'figure':
      return `<p style="margin:0 0 18px"><span style="font-size:28px;font-weight:700">${escaped(block.value)}</span><br><span style="color:${MUTED}">${escaped(block.label)}</span></p>`;
    case 'list': {
      const items = block.items.map(
        ({ title, detail, url }) =>
          `<li style="margin:0 0 10px"><strong>${url ? anchor(url, title, `color:${INK}`) : escaped(title)}</strong><br><span style="color:${MUTED}">${escaped(detail)}</span></li>`,
      );
      return `<p style="margin:0 0 8px;font-weight:600">${escaped(block.title)}</p>\n<ol style="margin:0 0 18px;padding-left:22px">${items.join('')}</ol>`;
    }
    default:
      return block satisfies never;
  }
}

export const anchor = (url: string, label: string, style: string): string =>
  `<a href="${escaped(url)}" style="${style}">${escaped(label)}</a>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Makes external text fit for a subject: one line, limited length. */
export function oneLine(text: string, length = 80): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  const plain = text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain;
}
