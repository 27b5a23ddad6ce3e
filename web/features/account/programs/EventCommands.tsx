import { eventCommands, KEY_PLACEHOLDER } from '../../../../src/model/eventCommands.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';

/** Ready commands for a key that opens events, each with a place for the key: never the key itself. */
export function EventCommands() {
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">
        Each prints how many events there were by day and type, as CSV. Replace{' '}
        <code className="font-mono">{KEY_PLACEHOLDER}</code> with the key.
      </p>
      {eventCommands(window.location.origin).map(({ tool, text }) => (
        <fieldset key={tool} aria-label={tool} className="min-w-0">
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium text-strong">{tool}</h3>
            <CopyButton text={text} what={`the command for ${tool}`} />
          </div>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
            tabIndex={0}
            className="mt-1 max-h-48 overflow-auto rounded-control bg-inset p-3 font-mono text-xs"
          >
            {text}
          </pre>
        </fieldset>
      ))}
    </div>
  );
}
