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
  gain: 'No risk of being taken out of the results.',
  timeToResult: '2-8 weeks',
  risk: 'Search engines take text that visitors cannot see for an attempt to deceive, and may list the site lower or not at all.',
  steps: ['Show the text, or take it out.'],
  example: null,
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
