import { languageNames, languages } from '@starside/contract/languages.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { readTexts } from '@starside/contract/read-texts.ts'

const style = `html{color-scheme:light;background:#f4efe4;color:#15110f;font:1.0625rem/1.5 'Familjen Grotesk',Arial,'PingFang SC','Noto Sans CJK SC','Microsoft YaHei',sans-serif}
body{display:grid;min-height:100dvh;margin:0;place-items:center}
main{max-width:26rem;padding:1.5rem}
[lang][hidden]{display:none}
h1{margin:0;font-size:2.2rem;line-height:1.1}
button{min-height:3rem;padding:.5rem 1.1rem;border:2px solid #c8271a;border-radius:3px;background:#c8271a;color:#fffaf0;font:inherit;font-weight:600}
:focus-visible{outline:3px solid #c8271a;outline-offset:3px}
:root[data-theme='dark']{color-scheme:dark;background:#17090a;color:#f3e6db}
@media(prefers-color-scheme:dark){:root:not([data-theme='light']){color-scheme:dark;background:#17090a;color:#f3e6db}}`

const texts = readTexts('offline')

/** Shows the reader's language alone, and goes on with the page when there is a connection again. */
const script = `(function(){var stored=null
try{stored=localStorage.getItem('${storageKeys.language}');var theme=localStorage.getItem('${storageKeys.theme}');if(theme)document.documentElement.dataset.theme=theme}catch(error){}
var sections=[].slice.call(document.querySelectorAll('section'))
var wanted=[stored].concat(navigator.languages||[]).map(function(tag){return(tag||'').slice(0,2)})
var language=wanted.filter(function(tag){return document.getElementById(tag)})[0]||sections[0].id
document.documentElement.lang=document.getElementById(language).lang
sections.forEach(function(section){section.hidden=section.id!==language
section.querySelector('button').addEventListener('click',function(){location.reload()})})
addEventListener('online',function(){location.reload()})})()`

/** The page that the service worker shows without a connection: one file, in all languages. */
export function offlinePage(productName: string): string {
  const sections = languages.map((language) => {
    const { title, text, tryAgain } = texts[language]
    return `<section id="${language}" lang="${languageNames[language].tag}"><h1>${title}</h1><p>${text}</p><button type="button">${tryAgain}</button></section>`
  })
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${productName}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <style>${style}</style>
  </head>
  <body>
    <main>${sections.join('')}</main>
    <script>${script}</script>
  </body>
</html>
`
}
