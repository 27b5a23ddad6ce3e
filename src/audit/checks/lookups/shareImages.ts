/** Why an image would not show when a page is shared. */
import type { FileCheck } from '../../crawl/site.ts';
import { kilobytes } from '../evidence.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { contentLength, header } from './siteIndex.ts';

/** Null if there is no problem, as far as the headers and the image header show. */
export function shareImageProblem({ outcome, image }: FileCheck): string | null {
  if (outcome.status === null) return `could not be fetched (${outcome.message ?? 'no answer'})`;
  if (outcome.status !== 200) return `answers with status ${outcome.status}`;
  const type = header(outcome, 'content-type') ?? '';
  if (image?.format === 'svg' || /svg/i.test(type)) return 'is an SVG, which networks do not show';
  if (!/^image\//i.test(type)) return `is sent as ${type || 'nothing'}, not as an image`;
  const bytes = contentLength(outcome) ?? outcome.bytes;
  if (bytes > THRESHOLDS.shareImageBytes)
    return `has ${kilobytes(bytes)}; networks take up to ${kilobytes(THRESHOLDS.shareImageBytes)}`;
  const { width = null, height = null } = image ?? {};
  if (width === null || height === null) return null;
  const isSmall = width < THRESHOLDS.shareImageWidth || height < THRESHOLDS.shareImageHeight;
  return isSmall
    ? `is ${width}x${height} px; a large preview needs ${THRESHOLDS.shareImageWidth}x${THRESHOLDS.shareImageHeight}`
    : null;
}
