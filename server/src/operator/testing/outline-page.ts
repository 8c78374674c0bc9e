/**
 * What somebody reads on an operator's page and can do there, a line for each heading, row, field and
 * button. Behind links and fields stands where they lead and how they begin; `!` stands before what is
 * coloured, with the colour's name.
 */
export function outlinePage(html: string): string {
  const own = html.slice(html.indexOf('<h1'), html.lastIndexOf('</main>'))
  return own
    .replaceAll(/<input[^>]*name="csrf"[^>]*>/g, '')
    .replaceAll(/<svg[^]*?<\/svg>/g, outlineChart)
    .replaceAll(/<textarea([^>]*)>([^]*?)<\/textarea>/g, (_, attributes: string, text: string) => {
      const value = text.replaceAll('\n', '⏎')
      return `<textarea${attributes} value="${value}">`
    })
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      /<(\/?)([a-z]\w*)((?:\s[^>]*)?)>/g,
      (_, slash: string, name: string, given: string) =>
        slash === '' ? openingText(name, given) : (closingTexts[name] ?? ''),
    )
    .split('\n')
    .map((line) => plainText(line))
    .filter((line) => line !== '')
    .join('\n')
}

const closingTexts: Record<string, string> = {
  button: ']',
  td: ' |',
  th: ' |',
  tr: '\n',
  details: '\n',
  form: '\n',
  dt: ':',
  dd: '\n',
  p: '\n',
  li: '\n',
  fieldset: '\n',
}
const openingTexts: Record<string, string> = {
  h1: '\n# ',
  h2: '\n## ',
  h3: '\n### ',
  tr: '\n| ',
  dt: '\n',
  dd: ' ',
  p: '\n',
  li: '\n- ',
  div: '\n',
  section: '\n',
  summary: '\n▸ ',
  legend: '\n',
  label: '\n',
}
const tagsWithAttributes = new Set(['a', 'form', 'img', 'input', 'option', 'select', 'textarea'])

function openingText(name: string, given: string): string {
  const colour = /class="(bad|warn|good|danger|told \w+)"/.exec(given)?.[1]
  const mark = colour === undefined ? '' : `!${colour} `
  if (tagsWithAttributes.has(name)) {
    const attributes = given
      .replaceAll(/\s(?:id|aria-describedby|class)="[^"]*"/g, '')
      .replaceAll(
        /\s(?:type="text"|autocomplete="off"|loading="lazy"|method="post"|rows="\d+")/g,
        '',
      )
      .replace(/\/$/, '')
      .trim()
    const text = `‹${[name, attributes].join(' ').trim()}›`
    return name === 'form' || name === 'option' ? `\n${text} ` : ` ${mark}${text} `
  }
  if (name === 'button') return ` ${mark}[`
  return `${openingTexts[name] ?? ' '}${mark}`
}

/** The bars of a chart by their heights, with what it says of them. */
function outlineChart(svg: string): string {
  const heights = [...svg.matchAll(/\sheight="([\d.]+)"/g)].map(([, height]) => height)
  const described = /aria-label="([^"]*)"/.exec(svg)?.[1] ?? ''
  return `<p>chart of ${heights.join(' ')}: ${described}</p>`
}

function plainText(line: string): string {
  return line
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
