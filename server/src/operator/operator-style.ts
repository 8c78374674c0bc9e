/** The look of the operator's pages: the paper and ink of the app, without its pictures. */
export const operatorStyle = `
:root { color-scheme: light dark; --ink: #1b1a18; --paper: #f7f5f0; --red: #b3261e; --line: #8885 }
@media (prefers-color-scheme: dark) { :root { --ink: #efe9df; --paper: #171412; --red: #ff7a6b } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 80rem; padding: 1rem 1rem 4rem; color: var(--ink);
  background: var(--paper); font: 0.95rem/1.5 system-ui, sans-serif }
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
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem } dd { margin: 0 }
`
