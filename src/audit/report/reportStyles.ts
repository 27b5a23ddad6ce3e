/** Styles of the single-file report: both color schemes, narrow screens, print. No external resources. */
export const REPORT_STYLES = `
:root { color-scheme: light dark;
  --page: light-dark(#f6f6f3, #111312); --card: light-dark(#fff, #181b1a); --inset: light-dark(#eeeeea, #0c0e0d); --line: light-dark(#dfdfd8, #2b2f2d);
  --strong: light-dark(#191a18, #f1f2ef); --normal: light-dark(#3a3c38, #cdd0cb); --muted: light-dark(#5c5f59, #9da19b); --accent: light-dark(#0a5a86, #74bdea);
  --good: light-dark(#1b673a, #6fcf8f); --attention: light-dark(#7c4d00, #e8b34b); --bad: light-dark(#a8271f, #f5958c); --info: light-dark(#3d4d9b, #a9b6f4); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--normal); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1, h2, h3 { color: var(--strong); line-height: 1.25; margin: 0; }
h1 { font-size: 1.75rem; overflow-wrap: anywhere; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; } h3 { font-size: 1rem; }
p { margin: .5rem 0; } ul { margin: .5rem 0; padding-left: 1.25rem; } li { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--accent); } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.muted { color: var(--muted); } .small { font-size: .8125rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: .75rem 0; }
.score { display: flex; gap: 1.5rem; align-items: center; flex-wrap: wrap; }
.ring { width: 7rem; height: 7rem; flex: none; } .ring text { fill: var(--strong); font: 600 30px system-ui, sans-serif; }
.ring .track { stroke: var(--inset); } .ring .value { stroke: currentColor; }
.good { color: var(--good); } .attention { color: var(--attention); } .bad { color: var(--bad); } .info { color: var(--info); }
.bars { display: grid; grid-template-columns: auto 1fr auto; gap: .35rem .75rem; align-items: center; flex: 1 1 18rem; margin: 0; }
.bars dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.bar { height: .5rem; border-radius: 4px; background: var(--inset); overflow: hidden; } .bar span { display: block; height: 100%; background: var(--accent); }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
summary { cursor: pointer; padding: .75rem 1rem; display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; }
summary h3 { flex: 1 1 14rem; } details > div { padding: 0 1rem 1rem; }
.badge { font-size: .75rem; font-weight: 600; border: 1px solid currentColor; border-radius: 999px; padding: 0 .5rem; white-space: nowrap; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; } th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.scroll { overflow-x: auto; }
pre { background: var(--inset); border-radius: 6px; padding: .75rem; overflow-x: auto; font-size: .8125rem; white-space: pre-wrap; overflow-wrap: anywhere; } code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media (max-width: 30rem) { .hide-narrow { display: none; } }
@media print { :root { color-scheme: light; } body { background: #fff; font-size: 10.5pt; } main { max-width: none; padding: 0; }
  details, .card { break-inside: avoid; border-color: #ccc; } details::details-content { content-visibility: visible; block-size: auto; } h2 { break-after: avoid; } a { color: inherit; text-decoration: none; } }
`;
