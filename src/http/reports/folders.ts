/** Folders of addresses: a path up to a slash, on whichever host. */

/** Folders within folders are only told apart up to here, so that long paths cost no more than short ones. */
const MOST_LEVELS = 12;
const MOST_CHARACTERS = 1000;

/** Without query and a slash at its end: empty for a start page, otherwise `/blog/post`. */
export function pathOf(url: string): string {
  const host = url.indexOf('://') + 3;
  const query = url.slice(host).search(/[?#]/);
  const end = query === -1 ? url.length : host + query;
  const start = url.indexOf('/', host);
  if (start === -1 || start >= end) return '';
  return url.slice(start, url[end - 1] === '/' ? end - 1 : end);
}

/** Whether a page is in a folder, or its index page: `/blog` is in `/blog/`. */
export const isInFolder = (url: string, folder: string): boolean => `${pathOf(url)}/`.startsWith(folder);

/** The folders around a page, outermost first: of `/blog/post` they are `/` and `/blog/`. */
export function foldersAround(path: string): readonly string[] {
  const folders = ['/'];
  let at = path.indexOf('/', 1);
  while (at > 0 && at < MOST_CHARACTERS && folders.length < MOST_LEVELS) {
    folders.push(path.slice(0, at + 1));
    at = path.indexOf('/', at + 1);
  }
  return folders;
}
