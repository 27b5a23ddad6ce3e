import { excerpt } from '../../../excerpt.ts';
import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const hiddenText = pageCheck({
  id: 'hidden-text',
  title: 'Text is hidden from visitors',
  category: 'content',
  group: 'content-quality',
  impact: 'high',
  difficulty: 'easy',
  minutes: 20,
  gain: 'The page complies with Google’s spam policy on hidden text.',
  timeToResult: '2-8 weeks',
  risk: 'Part of the page’s text is hidden from visitors. If it’s there to influence rankings, search engines treat it as spam, and the site can rank lower or be removed. We flagged it because of inline styles alone, so the text may be there for an honest reason.',
  steps: [
    'In the editor or the template, find the tag that this report lists. Its `style` attribute hides the text: off-screen, too small to read, or in the color of its background.',
    'If visitors should read the text, remove that style.',
    'If the text is there only for search engines, delete it.',
    'If the text is there for screen readers, keep it short and make sure it says the same as the visible page.',
    'Reload the page and make sure the text is gone or visitors can see it. Only text for screen readers may stay hidden.',
  ],
  example: {
    before: '<p style="position:absolute; left:-9999px">YOUR PAGE CONTENT</p>',
    after: '<p>YOUR PAGE CONTENT</p>',
  },
  tags: ['content', 'spam'],
  source:
    'Google Search Central: Spam policies, hidden text (https://developers.google.com/search/docs/essentials/spam-policies)',
  appliesTo: contentPage,
  run: (page) => {
    const { unseen } = page.facts;
    if (unseen === null) return [];
    const subject = `${plural(unseen.words, 'word')} that begin with "${excerpt(unseen.text, 60)}"`;
    const evidence = seen(page, unseen.selector, unseen.text);
    if (unseen.forReaders === true)
      return [
        {
          evidence,
          message: `${subject} stand off-screen ("${unseen.style}"), which is fine for text that screen readers need.`,
          hint: true,
        },
      ];
    return [{ evidence, message: `${subject} cannot be seen, because of the style "${unseen.style}".` }];
  },
});
