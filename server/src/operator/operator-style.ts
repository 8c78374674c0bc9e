/** The look of the operator's pages: the paper and ink of the app, without its pictures. */
export const operatorStyle = `
:root { color-scheme: light dark; --ink: #1b1a18; --paper: #f7f5f0; --red: #b3261e; --green: #1d6b35;
  --amber: #8a5300; --line: #8885; --soft: #8882; --quiet: #5c5850 }
@media (prefers-color-scheme: dark) { :root { --ink: #efe9df; --paper: #171412; --red: #ff7a6b;
  --green: #7fd69a; --amber: #f2b45c; --quiet: #b5ada0 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 90rem; padding: 1rem 1rem 4rem; color: var(--ink);
  background: var(--paper); font: 0.95rem/1.5 'Avenir Next', 'Segoe UI', 'Helvetica Neue', system-ui, sans-serif }
h1 { margin: 0 0 1rem; font-size: 2.2rem; line-height: 1.1; letter-spacing: -.02em; font-weight: 800 }
h2 { margin: 2rem 0 .75rem; font-size: 1.3rem } h3 { margin: 1.25rem 0 .5rem; font-size: 1rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center;
  border-bottom: 2px solid var(--ink); padding-bottom: .5rem }
header b { font-size: 1.2rem } header form { margin-left: auto; display: flex; gap: .75rem; align-items: center }
.skip { position: absolute; left: -99rem } .skip:focus { position: static }
.columns { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 2rem; margin-top: 1.25rem }
nav h2 { margin: 1rem 0 .25rem; font-size: .75rem; letter-spacing: .05em; text-transform: uppercase; color: var(--quiet) }
nav ul { margin: 0; padding: 0; list-style: none } nav a { display: block; padding: .3rem 0; text-decoration: none }
nav a:hover { text-decoration: underline } a[aria-current] { color: var(--red); font-weight: 600 }
.menu { display: none }
@media (max-width: 52rem) { .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem }
  .side { display: none } .menu { display: block } h1 { font-size: 1.7rem } nav a { padding: .6rem 0 } }
.narrow { max-width: 30rem; margin: 2rem auto }
a { color: inherit }
.table { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line) } td.n, th.n { text-align: right }
th { font-size: .8rem; font-weight: 600; letter-spacing: .03em; text-transform: uppercase }
tbody tr:hover { background: var(--soft) }
code { font-size: .85em; overflow-wrap: anywhere } td code { white-space: nowrap }
pre { overflow-x: auto; padding: .75rem; background: var(--soft) }
.bad { color: var(--red); font-weight: 600 } .good { color: var(--green); font-weight: 600 }
.warn { color: var(--amber); font-weight: 600 }
.hint { margin: 0 0 .25rem; color: var(--quiet); font-size: .85rem }
.flash { padding: .6rem .9rem; border-left: 4px solid; background: var(--soft) }
.flash.done { border-color: var(--green) } .flash.problem { border-color: var(--red); color: var(--red); font-weight: 600 }
input, select, textarea, button { font: inherit; min-height: 2.5rem; padding: .25rem .6rem; color: inherit;
  background: transparent; border: 1px solid currentColor; max-width: 100% }
select option { color: #1b1a18; background: #fff }
input[type=checkbox] { min-height: 0; width: 1.15rem; height: 1.15rem; margin: 0 .5rem 0 0; accent-color: var(--red) }
input[type=file] { width: 100% } input[type=color] { padding: .15rem; width: 4rem }
textarea { width: 100%; resize: vertical }
.field { margin: 0 0 1rem; max-width: 40rem } .field label { display: block; font-weight: 600 }
.field label.tick { display: flex; align-items: center; font-weight: 400; min-height: 2.5rem }
.field input:not([type=checkbox], [type=color], [type=file], [type=number]), .field select { width: 100% }
[aria-invalid] { outline: 2px solid var(--red) }
fieldset { min-width: 0; margin: 0 0 1.5rem; padding: 1rem; border: 1px solid var(--line) } legend { font-weight: 700; padding: 0 .4rem }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: 0 1.25rem }
button, a.button { cursor: pointer; font-weight: 600 } button:hover { background: var(--soft) }
a.button { display: inline-block; padding: .5rem .8rem; border: 1px solid; text-decoration: none }
button.danger { color: var(--red) }
:is(button, a, input, select, textarea, summary, .table):focus-visible { outline: 3px solid var(--red); outline-offset: 2px }
td form { display: flex; flex-wrap: wrap; gap: .25rem } td .field { margin: 0 }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .75rem;
  margin: 0; padding: 0; list-style: none }
.figures li { border-top: 2px solid; padding-top: .4rem; line-height: 1.3 }
.figures strong { display: block; font-size: 2rem; line-height: 1.1; font-variant-numeric: tabular-nums }
summary { cursor: pointer; font-weight: 600; padding: .3rem 0 } details form { margin-top: .4rem }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem } dd { margin: 0; overflow-wrap: anywhere }
.acts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: flex-start }
img { max-width: 100%; height: auto } img.brand { max-height: 6rem; width: auto }
.qr svg { width: 14rem; height: 14rem; background: #fff }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1rem 2rem }
.charts h2 { font-size: 1rem; margin: 0 0 .3rem }
.chart { width: 100%; height: 7.5rem; fill: currentColor; stroke: none }
.chart.empty { height: 1px }
.chart line { stroke: currentColor }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: 1rem;
  list-style: none; padding: 0 }
.pictures img { display: block; width: 100% }
`
