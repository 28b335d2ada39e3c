/** The style sheet of the page: light or dark as the system is set, in two columns on wide screens. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --side: #f7f8fa; --line: #e3e6ec; --text: #1c2330; --soft: #566073; --accent: #2f4fd0; --mark: #e9edff; --chip: #f0f2f6;
  --get: #0b6b43; --post: #1d4ed8; --put: #8a4b00; --patch: #7a3aa8; --delete: #b3202c;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #10141c; --side: #141924; --line: #283041; --text: #e4e8f0; --soft: #a0aabd; --accent: #9db2ff; --mark: #1f2a4d; --chip: #1e2533;
    --get: #5fd6a0; --post: #8fb2ff; --put: #f0b35e; --patch: #d3a4f7; --delete: #ff8f96;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.6 var(--sans); }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
[hidden] { display: none !important; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code { font-family: var(--mono); font-size: .88em; }
p code, td code, li > code, li span code { background: var(--chip); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
.skip { position: absolute; left: -999px; top: 0; z-index: 9; background: var(--bg); padding: .6rem 1rem; }
.skip:focus { left: .5rem; }

.layout { display: grid; grid-template-columns: 272px minmax(0, 1fr); }
.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; background: var(--side); border-right: 1px solid var(--line); padding: 1.4rem 1rem 3rem; }
.brand { margin: 0 .5rem 1.1rem; font-weight: 650; line-height: 1.35; }
.brand a { color: inherit; text-decoration: none; }
.brand span { display: block; color: var(--soft); font-weight: 400; font-size: .8rem; }
.search { position: relative; display: block; margin: 0 .25rem 1rem; }
.search input { width: 100%; font: inherit; font-size: .88rem; padding: .42rem 1.9rem .42rem .65rem; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 7px; }
.search kbd { position: absolute; right: .55rem; top: .42rem; font: .75rem/1.4 var(--mono); color: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem; }
nav h2 { margin: 1.1rem .5rem .25rem; font-size: .74rem; font-weight: 650; letter-spacing: .05em; text-transform: uppercase; }
nav h2 a { color: var(--soft); text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .55rem; align-items: baseline; padding: .24rem .5rem; border-radius: 6px; color: var(--text); text-decoration: none; font-size: .88rem; line-height: 1.4; }
nav li a:hover { background: var(--chip); }
nav a[aria-current] { color: var(--accent); }
nav li a[aria-current] { background: var(--mark); }
nav .method { flex: 0 0 2.5rem; font-size: .62rem; background: none; padding: 0; text-align: right; }
#none { margin: .5rem; color: var(--soft); font-size: .88rem; }

main { min-width: 0; padding: 2.6rem clamp(1.1rem, 3vw, 3.2rem) 6rem; max-width: 1360px; }
h1 { margin: 0 0 .3rem; font-size: 2.1rem; line-height: 1.2; letter-spacing: -.02em; }
h2, h3 { line-height: 1.3; letter-spacing: -.01em; }
main h2 { margin: 0 0 .4rem; font-size: 1.55rem; }
main h3 { margin: 0 0 .5rem; font-size: 1.15rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover::after { content: " #"; color: var(--soft); }
p { margin: 0 0 .8rem; max-width: 68ch; }
.intro { color: var(--soft); font-size: 1.02rem; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: 1rem 0 0; padding: 0; list-style: none; color: var(--soft); font-size: .9rem; }
.tag, .start, .rules { margin-top: 3.6rem; padding-top: 2.2rem; border-top: 1px solid var(--line); }
.rules .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: .4rem 3rem; margin-top: 1.2rem; }
.rules h3 { font-size: 1rem; }

.steps { list-style: none; margin: 1.6rem 0 0; padding: 0; counter-reset: step; }
.steps > li, .endpoint { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.2rem 2.6rem; }
.steps > li { counter-increment: step; margin-bottom: 1.3rem; }
.steps .prose { position: relative; padding-left: 2.7rem; }
.steps .prose::before { content: counter(step); position: absolute; left: 0; top: -.1rem; width: 1.8rem; height: 1.8rem; border-radius: 50%; background: var(--mark); color: var(--accent); font-weight: 650; font-size: .9rem; display: grid; place-items: center; }
.endpoint { padding: 2.4rem 0; border-top: 1px solid var(--line); }
.tag > .intro + .endpoint { border-top: 0; padding-top: 1.4rem; }
.endpoint .code { position: sticky; top: 1.2rem; align-self: start; }
.address { display: flex; align-items: baseline; gap: .6rem; }
.address code { background: none; padding: 0; font-size: .95rem; }
.param { color: var(--accent); }
.method { font: 650 .7rem/1.5 var(--mono); letter-spacing: .03em; padding: .12rem .45rem; border-radius: 5px; background: var(--chip); }
.method.get { color: var(--get); } .method.post { color: var(--post); } .method.put { color: var(--put); } .method.patch { color: var(--patch); } .method.delete { color: var(--delete); }
.access { display: flex; gap: .5rem; align-items: baseline; font-size: .86rem; color: var(--soft); }
.access::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--put); }
.access.open::before { background: var(--get); }

.fields { width: 100%; border-collapse: collapse; margin: 1.2rem 0 0; font-size: .88rem; line-height: 1.5; }
.fields caption { text-align: left; font-weight: 650; font-size: .82rem; padding-bottom: .35rem; }
.fields thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.fields tbody tr { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 1rem; border-top: 1px solid var(--line); padding: .55rem 0; }
.fields th, .fields td { padding: 0; text-align: left; font-weight: 400; overflow-wrap: anywhere; }
.fields tbody td:last-child { grid-column: 1 / -1; color: var(--soft); }
.fields tbody td:last-child:empty { display: none; }
.fields th code { font-weight: 650; font-size: .84rem; }
.lead { color: var(--soft); font-weight: 400; }
.type { color: var(--soft); }
.required { color: var(--delete); font-size: .78rem; margin-left: .35rem; }
.optional { color: var(--soft); font-size: .78rem; margin-left: .35rem; }
.codes { width: 100%; border-collapse: collapse; margin: 1.2rem 0 0; font-size: .88rem; line-height: 1.5; }
.codes caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.codes th, .codes td { text-align: left; vertical-align: top; font-weight: 400; padding: .5rem 1.4rem .5rem 0; border-top: 1px solid var(--line); }
.codes thead th { border-top: 0; font-weight: 650; font-size: .82rem; }
.codes tbody th { width: 15rem; }
.codes tr:target { background: var(--mark); }
.more { margin-top: 1rem; font-size: .88rem; }
.more summary { cursor: pointer; font-weight: 650; font-size: .82rem; }
.more summary span { font-weight: 400; color: var(--soft); margin-left: .4rem; }
.more .fields { margin-top: .5rem; }
.more .fields caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.statuses ul { list-style: none; margin: .5rem 0 0; padding: 0; }
.statuses li { display: flex; gap: .8rem; padding: .35rem 0; border-top: 1px solid var(--line); color: var(--soft); }
.status { font: 650 .8rem/1.9 var(--mono); } .s2 { color: var(--get); } .s4 { color: var(--put); } .s5 { color: var(--delete); }

pre { scrollbar-width: thin; scrollbar-color: #465069 transparent; }
.sample { color-scheme: dark; margin: 0 0 1rem; border-radius: 10px; overflow: hidden; background: #171c28; color: #dfe5f1; border: 1px solid #2a3243; }
.sample figcaption { display: flex; justify-content: space-between; align-items: center; min-height: 2.1rem; padding: .25rem .5rem .25rem .95rem; font-size: .76rem; font-weight: 600; color: #a9b4c8; background: #1e2535; }
.sample button { font: inherit; font-weight: 500; color: #c9d2e4; background: none; border: 1px solid #39435a; border-radius: 5px; padding: .1rem .55rem; cursor: pointer; }
.sample button:hover { background: #2c364b; color: #fff; }
.sample :focus-visible { outline-color: #9db2ff; outline-offset: -3px; }
.sample pre { margin: 0; padding: .85rem .95rem; overflow: auto; max-height: 34rem; tab-size: 2; }
.sample code { font-size: .77rem; line-height: 1.6; }
.key { color: #9ecbff; } .str { color: #a5e3b5; } .num { color: #f3c27a; } .lit { color: #d9a8ff; } .comment { color: #98a3b8; }

@media (max-width: 1080px) {
  .steps > li, .endpoint { grid-template-columns: minmax(0, 1fr); }
  .endpoint .code { position: static; }
}
@media (max-width: 760px) {
  html { scroll-padding-top: 4rem; }
  .layout { display: block; }
  .side { position: sticky; top: 0; z-index: 5; height: auto; overflow: visible; border-right: 0; border-bottom: 1px solid var(--line); padding: 0; }
  .brand, .search, nav .group ul, #none { display: none; }
  nav { display: flex; overflow-x: auto; gap: .3rem; padding: .55rem .8rem; scrollbar-width: none; }
  nav .group[hidden] { display: block !important; }
  nav h2 { margin: 0; font-size: .86rem; letter-spacing: 0; text-transform: none; font-weight: 550; white-space: nowrap; }
  nav h2 a { display: block; padding: .3rem .65rem; border-radius: 999px; background: var(--chip); color: var(--text); }
  nav .group:has([aria-current]) h2 a { background: var(--mark); color: var(--accent); }
  main { padding-top: 1.6rem; }
  h1 { font-size: 1.7rem; }
  .codes thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .codes tbody tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; border-top: 1px solid var(--line); padding: .5rem 0; }
  .codes tbody th, .codes tbody td { width: auto; border: 0; padding: 0; }
  .codes td:nth-child(n + 3) { grid-column: 1 / -1; }
  .tag, .start, .rules { margin-top: 2.4rem; padding-top: 1.6rem; }
}
@media print { .side, .sample button { display: none; } .layout { display: block; } .sample pre { max-height: none; white-space: pre-wrap; } }
`
