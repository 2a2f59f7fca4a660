/** The look of the docs page, light and dark. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #17211c; --soft: #5b6a62; --paper: #fbfcfb; --card: #fff; --line: #dfe6e1; --code: #f1f5f2; --accent: #0f6b4b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ede9; --soft: #9aaaa1; --paper: #101613; --card: #161e1a; --line: #29342e; --code: #1d2722; --accent: #5fd0a4; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); color: var(--ink); background: var(--paper); font: 15px/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); }
nav .brand { margin: 0 0 1rem; font-weight: 700; font-size: 1.05rem; }
nav .brand span { color: var(--soft); font-weight: 400; }
nav h2 { margin: 1.2rem 0 .3rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .08em; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav input { width: 100%; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; font: inherit; }
[hidden] { display: none; }
nav a { display: block; padding: .2rem .4rem; border-radius: 6px; color: inherit; text-decoration: none; font-size: .85rem; }
nav a:hover, nav a:focus-visible { background: var(--code); }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem); max-width: 62rem; }
header { margin-bottom: 2rem; }
h1 { margin: 0 0 .5rem; font-size: 1.9rem; }
section > h2 { margin: 2.5rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
article { margin: 0 0 1.5rem; padding: 1.2rem 1.4rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h4 { margin: 1.1rem 0 .4rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
.summary { margin: .5rem 0; font-size: 1.02rem; }
a { color: var(--accent); }
code, pre { font: .86em/1.5 ui-monospace, monospace; }
code { padding: .08em .3em; border-radius: 4px; background: var(--code); }
h3 a { color: inherit; text-decoration: none; }
h3 code { background: none; padding: 0; font-size: 1em; }
pre { margin: .4rem 0; padding: .8rem 1rem; border-radius: 8px; background: var(--code); overflow-x: auto; }
b.get, b.post, b.put, b.delete, b.patch { display: inline-block; min-width: 3.6em; padding: .05em .5em; border-radius: 5px; color: #fff; font: 700 .7rem/1.7 ui-monospace, monospace; text-align: center; }
nav b.get, nav b.post, nav b.put, nav b.delete, nav b.patch { min-width: 3.9em; font-size: .6rem; }
b.get { background: #1f6fb2; } b.post { background: #0f7a52; } b.put, b.patch { background: #9a6700; } b.delete { background: #b3261e; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; }
em { color: var(--soft); }
details { border-top: 1px solid var(--line); padding: .35rem 0; }
summary { cursor: pointer; }
.s2 summary b { color: #0f7a52; } .s4 summary b { color: #b06a00; } .s5 summary b { color: #b3261e; }
@media (max-width: 860px) { body { grid-template-columns: 1fr; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } }
`;
