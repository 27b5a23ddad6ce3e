import type { OnePage } from '../page/reportApi.ts';
import { Part } from './Part.tsx';

type Tags = NonNullable<OnePage['record']>['social'];

/** What a shared link would show. Pictures of other sites are not loaded. */
export function SocialCard({ tags }: { tags: Tags }) {
  const of = (...names: readonly string[]): string =>
    names.map((name) => tags.find((tag) => tag.name === name)?.content ?? '').find((content) => content !== '') ?? '';
  const [title, description, image] = [
    of('og:title', 'twitter:title'),
    of('og:description', 'twitter:description'),
    of('og:image', 'twitter:image'),
  ];
  return (
    <Part title="Social card">
      {tags.length === 0 ? (
        <p className="text-muted">No Open Graph or Twitter tags: a shared link shows what each network picks.</p>
      ) : (
        <>
          <div className="max-w-120 rounded-control border border-line bg-raised p-3">
            <p className="font-mono text-xs text-muted wrap-anywhere">{image === '' ? 'No picture' : image}</p>
            <p className="mt-2 font-medium text-strong wrap-anywhere">
              {title || <span className="text-muted">No title</span>}
            </p>
            <p className="text-sm wrap-anywhere">{description || <span className="text-muted">No description</span>}</p>
          </div>
          <details className="mt-2 text-sm">
            <summary className="min-h-8 cursor-pointer content-center pointer-coarse:min-h-11">
              All {tags.length} tags
            </summary>
            <dl className="mt-1 space-y-1">
              {tags.map(({ name, content }, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a page may have the same tag twice.
                <div key={n} className="flex gap-3">
                  <dt className="w-40 shrink-0 font-mono text-muted wrap-anywhere">{name}</dt>
                  <dd className="min-w-0 wrap-anywhere">{content}</dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </Part>
  );
}
