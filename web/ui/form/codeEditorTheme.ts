/**
 * The editor in the colors and sizes of the other fields. Custom properties reach into its shadow root, classes do not.
 */
import { EditorView } from '@codemirror/view';

/** As high as the other fields of one line. Comes before the look of all editors, and so wins over it. */
export const ONE_LINE_THEME = EditorView.theme({
  '.cm-scroller': { minHeight: '0' },
  '.cm-content': { padding: '7px 0', minHeight: 'calc(2.25rem - 2px)' },
  '@media (pointer: coarse)': { '.cm-content': { padding: '8px 0', minHeight: 'calc(2.75rem - 2px)' } },
});

export const EDITOR_THEME = EditorView.theme({
  '&': {
    color: 'var(--color-strong)',
    backgroundColor: 'var(--color-card)',
    border: '1px solid var(--color-line-strong)',
    borderRadius: 'var(--radius-control)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', minHeight: '16rem', maxHeight: '65vh' },
  '.cm-content': { caretColor: 'var(--color-strong)', padding: '8px 0', minHeight: '16rem' },
  '.cm-line': { padding: '0 12px' },
  '.cm-known-variable': {
    color: 'var(--color-accent)',
    backgroundColor: 'var(--color-accent-soft)',
    borderRadius: '4px',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--color-line-strong)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--color-bad-soft)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--color-bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    color: 'var(--color-strong)',
    backgroundColor: 'var(--color-raised)',
    border: '1px solid var(--color-line)',
    borderRadius: 'var(--radius-control)',
    boxShadow: 'var(--shadow-float)',
    maxWidth: 'min(32rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    maxHeight: '16rem',
    minWidth: 'min(14rem, 80vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', whiteSpace: 'normal' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--color-strong)',
    backgroundColor: 'var(--color-accent-soft)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    display: 'block',
    margin: '0',
    fontFamily: 'var(--font-sans)',
    fontStyle: 'normal',
    color: 'var(--color-muted)',
  },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'var(--font-sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--color-bad)' },
  '.cm-panels': {
    color: 'var(--color-strong)',
    backgroundColor: 'var(--color-inset)',
    borderTop: '1px solid var(--color-line)',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': {
    color: 'var(--color-strong)',
    backgroundColor: 'var(--color-accent-soft)',
  },
  // With a smaller font, phones zoom in on focus.
  '@media (pointer: coarse)': { '&': { fontSize: '1rem' } },
});
