/** The demo site's only stylesheet. */
export const STYLES = `:root { --paper: #fbf7f0; --ink: #2b2a27; --soft: #6d675d; --line: #e5dccd; --leaf: #3f6b4c; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --paper: #1d1f1d; --ink: #ece7dd; --soft: #a8a193; --line: #383a36; --leaf: #8fc39f; --card: #262926; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 Georgia, 'Times New Roman', serif; }
a { color: var(--leaf); }
.banner { margin: 0; padding: 8px 20px; background: #f6d98f; color: #3a2c08; font: 14px/1.4 system-ui, sans-serif; text-align: center; }
.banner a { color: #3a2c08; }
.top { display: flex; flex-wrap: wrap; gap: 12px 32px; align-items: baseline; justify-content: space-between; max-width: 1040px; margin: 0 auto; padding: 24px 20px; }
.brand { font-size: 26px; letter-spacing: .02em; text-decoration: none; color: var(--ink); }
.brand span { color: var(--leaf); }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; font: 15px system-ui, sans-serif; }
nav a { padding: 6px 0; text-decoration: none; color: var(--ink); border-bottom: 2px solid transparent; }
nav a:hover, nav a[aria-current] { border-color: var(--leaf); }
main { max-width: 1040px; margin: 0 auto; padding: 8px 20px 56px; }
h1 { font-size: clamp(30px, 5vw, 44px); line-height: 1.15; font-weight: 500; margin: 16px 0; }
h2 { font-size: 25px; font-weight: 500; margin: 40px 0 8px; }
h3, h4, h5 { margin: 28px 0 6px; font-size: 19px; }
main p, main li { max-width: 70ch; }
.lead { font-size: 20px; color: var(--soft); }
.hero { display: grid; gap: 32px; align-items: center; }
.cards { display: grid; gap: 20px; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); padding: 0; list-style: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.card > div { padding: 14px 18px 18px; }
.card p { margin: 6px 0 0; color: var(--soft); font-size: 16px; }
.price { font: 600 15px system-ui, sans-serif; color: var(--leaf); }
img { display: block; width: 100%; height: auto; border-radius: 8px; }
.card img { border-radius: 0; }
table { border-collapse: collapse; width: 100%; font: 15px/1.45 system-ui, sans-serif; }
th, td { text-align: left; vertical-align: top; padding: 10px 14px 10px 0; border-bottom: 1px solid var(--line); }
code { font-size: .9em; }
.dated { color: var(--soft); font: 14px system-ui, sans-serif; }
footer { border-top: 1px solid var(--line); padding: 24px 20px 40px; text-align: center; color: var(--soft); font: 14px/1.6 system-ui, sans-serif; }
footer p { margin: 4px 0; }
@media (min-width: 760px) { .hero { grid-template-columns: 1.1fr 1fr; } }
`;
