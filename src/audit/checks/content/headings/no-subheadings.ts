import { htmlPage, isComplete, isMostlyLinks, isTextPage, proseWords } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noSubheadings = pageCheck({
  id: 'no-subheadings',
  title: 'Long text without subheadings',
  category: 'content',
  group: 'headings',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Readers go straight to the part they need, and single sections can be quoted.',
  timeToResult: '2-6 weeks',
  risk: 'The long text has hardly any subheadings, so people who scan it for one point don’t find it, and nothing tells search engines what each part covers.',
  steps: [
    'In the editor, divide the text into sections of about 150 to 300 words.',
    'Give each section an `<h2>` heading that says what it’s about, and use `<h3>` for parts of a section.',
    'If a line is only bold, such as `<p><strong>YOUR SECTION SUBJECT</strong></p>`, turn it into a real heading: `<h2>YOUR SECTION SUBJECT</h2>`.',
    'Read only the headings and make sure they say what each part of the text is about.',
  ],
  example: { before: '<p><strong>YOUR SECTION SUBJECT</strong></p>', after: '<h2>YOUR SECTION SUBJECT</h2>' },
  tags: ['headings', 'readability', 'ai'],
  source: 'Screaming Frog SEO Spider issue library: H2: Missing (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page, site) =>
    isTextPage(page, site) &&
    htmlPage(page) &&
    !isMostlyLinks(page.facts) &&
    proseWords(page.facts) >= THRESHOLDS.subheadingWords,
  gathered: isComplete,
  run: (page) => {
    const subheadings = page.facts.headings.filter(
      ({ level, text, hidden }) => (level === 2 || level === 3) && text !== '' && !hidden,
    );
    if (subheadings.length >= 2) return [];
    return [
      {
        evidence: seen(page, 'main', `${page.facts.wordCount} words, ${plural(subheadings.length, 'subheading')}`),
        message: `${count(page.facts.wordCount)} words of text have ${subheadings.length === 0 ? 'no subheading' : 'one subheading'}.`,
      },
    ];
  },
});
