/** What a web manifest lacks to make the site installable. */
import { isNode, listOf, type SchemaNode } from '../schemaOrg/schemaNodes.ts';

const SIZES = [192, 512] as const;

/** Each problem as `lacks …`, or the reason why the manifest cannot be read. */
export function manifestProblems(text: string): readonly string[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return ['isn’t JSON'];
  }
  if (!isNode(manifest)) return ['holds no object'];
  const lacks = ['start_url', 'display'].filter((name) => !isText((manifest as SchemaNode)[name]));
  if (!isText(manifest.name) && !isText(manifest.short_name)) lacks.unshift('name');
  const icons = listOf(manifest.icons).filter(isNode);
  for (const size of SIZES) if (!icons.some((icon) => isOfSize(icon, size))) lacks.push(`an icon of ${size} px`);
  return lacks.length === 0 ? [] : [`lacks ${lacks.join(', ')}`];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** `any` fits every size, as for vector images. */
function isOfSize(icon: SchemaNode, size: number): boolean {
  const sizes = String(icon.sizes ?? '')
    .toLowerCase()
    .split(/\s+/);
  return sizes.includes(`${size}x${size}`) || sizes.includes('any');
}
