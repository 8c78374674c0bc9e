/** The look of the operator's pages: the paper and ink of the app, without its pictures. */
export const operatorStyle = `
:root { color-scheme: light dark; --ink: #1b1a18; --paper: #f7f5f0; --red: #b3261e; --line: #8885 }
@media (prefers-color-scheme: dark) { :root { --ink: #efe9df; --paper: #171412; --red: #ff7a6b } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 80rem; padding: 1rem 1rem 4rem; color: var(--ink);
  background: var(--paper); font: 0.95rem/1.5 'Avenir Next', 'Segoe UI', 'Helvetica Neue', system-ui, sans-serif }
h1 { margin: 1.5rem 0 1rem; font-size: 2.2rem; line-height: 1; letter-spacing: -.02em; font-weight: 800 }
h2 { margin: 2rem 0 .75rem; font-size: 1.3rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline;
  border-bottom: 2px solid var(--ink); padding-bottom: .5rem }
header b { font-size: 1.2rem } header form { margin-left: auto }
a { color: inherit } a[aria-current] { color: var(--red); font-weight: 600 }
.table { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line) } td.n, th.n { text-align: right }
code { font-size: .85em; overflow-wrap: anywhere } td code { white-space: nowrap }
.bad { color: var(--red); font-weight: 600 }
input, select, button { font: inherit; min-height: 2.25rem; padding: .25rem .6rem; color: inherit;
  background: transparent; border: 1px solid currentColor }
button { cursor: pointer; font-weight: 600 } button:focus-visible, a:focus-visible,
input:focus-visible { outline: 3px solid var(--red); outline-offset: 2px }
td form { display: flex; flex-wrap: wrap; gap: .25rem } label { display: block }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem;
  margin: 0; padding: 0; list-style: none }
.figures li { border-top: 2px solid; padding-top: .4rem; line-height: 1.3 }
.figures strong { display: block; font-size: 2rem; line-height: 1.1; font-variant-numeric: tabular-nums }
th { font-size: .8rem; font-weight: 600; letter-spacing: .03em; text-transform: uppercase }
tbody tr:hover { background: var(--line) }
summary { cursor: pointer; font-weight: 600 } details form { margin-top: .4rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem } dd { margin: 0 }
`
