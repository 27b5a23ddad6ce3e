/**
 * The intentional faults of the demo site. The page `/about-this-demo` lists them; tests verify that each one exists.
 */

export type DemoFault = {
  readonly id: string;
  /** Where to see it. */
  readonly path: string;
  readonly text: string;
};

export const FAULTS: readonly DemoFault[] = [
  { id: 'title-missing', path: '/teas/smoky-lapsang', text: 'The page has no title.' },
  {
    id: 'description-duplicate',
    path: '/teas/mountain-oolong',
    text: 'It shares its description, word for word, with the garden mint.',
  },
  { id: 'description-missing', path: '/delivery', text: 'The page has no description.' },
  {
    id: 'jsonld-parse-error',
    path: '/teas/mountain-oolong',
    text: 'Its structured data does not parse: there is a comma too many.',
  },
  { id: 'heading-order', path: '/teas', text: 'Two main headings, and the levels jump from 1 to 4.' },
  { id: 'link-text-generic', path: '/teas', text: 'A link that says only “click here”.' },
  { id: 'image-alt-missing', path: '/', text: 'Two pictures have no text alternative.' },
  { id: 'viewport-missing', path: '/teaware', text: 'No viewport: phones show the page tiny.' },
  {
    id: 'noindex',
    path: '/teaware/clay-teapot',
    text: 'A page that sells something forbids search engines to list it, and stands in the sitemap all the same.',
  },
  { id: 'placeholder-text', path: '/teaware/clay-teapot', text: 'A paragraph of “lorem ipsum” was left behind.' },
  { id: 'broken-internal-link', path: '/journal', text: 'A link leads to a text that does not exist.' },
  { id: 'canonical-missing', path: '/journal/how-to-brew', text: 'The page does not name its canonical address.' },
  {
    id: 'slow-page',
    path: '/journal/water-temperature',
    text: 'The server thinks for a quarter of a second before it answers.',
  },
  { id: 'thin-content', path: '/journal/short-note', text: 'Two sentences are not a page.' },
  { id: 'redirect-chain', path: '/shipping', text: 'The home page links here; it moves twice before it arrives.' },
  { id: 'robots-syntax', path: '/robots.txt', text: 'A line is misspelt, so the rule in it does not count.' },
  { id: 'sitemap-dead-url', path: '/sitemap.xml', text: 'It lists a page that is gone.' },
  { id: 'favicon-missing', path: '/favicon.ico', text: 'There is no icon.' },
  { id: 'social-missing', path: '/', text: 'No page says what to show when someone shares it.' },
];
