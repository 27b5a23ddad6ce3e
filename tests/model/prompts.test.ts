import { describe, expect, it } from 'vitest';
import { variableFaults } from '../../src/model/prompts/prompt.ts';

const variables = [{ name: 'tone', description: '' }];
/** The marked text, and the message. */
const marked = (content: string) =>
  variableFaults({ content, variables }).map(({ from, to, message }) => [content.slice(from, to), message]);
const UNCLOSED = 'A variable is not closed, or its name isn’t valid.';

describe('errors in variables', () => {
  it.each([
    ['Be {{tone}} and {{ tone }}, {as it is}.', []],
    [
      'Be {{tone}} to {{reader}}, {{reader}}.',
      [
        ['{{reader}}', 'There is no variable {{reader}}.'],
        ['{{reader}}', 'There is no variable {{reader}}.'],
      ],
    ],
    ['Be {{tone} to {{tone}}.', [['{{', UNCLOSED]]],
    [
      'Be {{tone}} }} and {{',
      [
        ['}}', UNCLOSED],
        ['{{', UNCLOSED],
      ],
    ],
    [
      '{{To-ne}}',
      [
        ['{{', UNCLOSED],
        ['}}', UNCLOSED],
      ],
    ],
    [
      '{{{{tone}}}}',
      [
        ['{{', UNCLOSED],
        ['}}', UNCLOSED],
      ],
    ],
    ['', []],
  ])('of %j have their positions', (content, faults) => {
    expect(marked(content)).toEqual(faults);
  });

  it('are found in a long text, too', () => {
    expect(variableFaults({ content: '{{'.repeat(10_000), variables })).toHaveLength(1);
    expect(variableFaults({ content: '{{ '.repeat(6_000), variables })).toHaveLength(6_000);
  });
});
