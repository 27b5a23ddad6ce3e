/** Which part of the page an element starts: navigation, header, footer, aside or main content. */
import type { Area, PageFacts } from './pageFacts.ts';
import type { Leave, PageScope } from './pageScope.ts';

const AREA_OF_ROLE: Readonly<Record<string, Area>> = {
  navigation: 'nav',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  search: 'nav',
  main: 'main',
};
const AREA_OF_TAG: Readonly<Record<string, Area>> = {
  nav: 'nav',
  header: 'header',
  footer: 'footer',
  aside: 'aside',
  main: 'main',
};

type Counts = { -readonly [K in keyof PageFacts['landmarks']]: PageFacts['landmarks'][K] };

/** A header or footer inside an article, a section or main is part of the content. */
function areaOf(tag: string, role: string, scope: PageScope): Area | null {
  const byRole = AREA_OF_ROLE[role];
  if (byRole !== undefined) return byRole;
  const byTag = AREA_OF_TAG[tag] ?? null;
  return (byTag === 'header' || byTag === 'footer') && scope.sectionDepth > 0 ? null : byTag;
}

function count(counts: Counts, tag: string, area: Area | null, scope: PageScope): void {
  if (scope.hiddenDepth > 0) return;
  if (area === 'main') counts.main += 1;
  else if (area === 'nav') counts.nav += 1;
  else if (area === 'header') counts.header += 1;
  else if (area === 'footer') counts.footer += 1;
  if (tag === 'article') counts.article += 1;
}

/** Call it for elements that are landmarks by tag or have a role; returns the function that leaves the landmark. */
export function enterLandmark(counts: Counts, tag: string, role: string, scope: PageScope): Leave | undefined {
  const area = areaOf(tag, role, scope);
  count(counts, tag, area, scope);
  const sectioning = tag === 'article' || tag === 'section' || area === 'main';
  if (area === null && !sectioning) return undefined;
  const before = { area: scope.area, boilerplate: scope.boilerplate };
  if (sectioning) scope.sectionDepth += 1;
  if (area === 'main') {
    scope.mainDepth += 1;
    scope.area = 'main';
  } else if (area !== null) {
    scope.area = area;
    scope.boilerplate = true;
  }
  return () => {
    scope.area = before.area;
    scope.boilerplate = before.boilerplate;
    if (sectioning) scope.sectionDepth -= 1;
    if (area === 'main') scope.mainDepth -= 1;
  };
}

export const LANDMARK_TAGS: ReadonlySet<string> = new Set([
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'section',
]);
