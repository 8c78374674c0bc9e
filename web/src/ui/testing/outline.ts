/** Attributes that tell what somebody sees, hears or may do. */
const told = [
  'role',
  'type',
  'name',
  'href',
  'target',
  'src',
  'srcset',
  'alt',
  'value',
  'placeholder',
  'maxlength',
  'min',
  'max',
  'step',
  'autocomplete',
  'accept',
  'required',
  'disabled',
  'hidden',
  'open',
  'tabindex',
  'style',
  'datetime',
  'loading',
  'width',
  'height',
  'novalidate',
]
const states =
  /^(?:(?:border|text|bg)-(?:red|danger|green|amber|safelight|accent-dark|grey|ash|bone|film)|line-through|font-bold|button-main|button-danger|sr-only|invisible|hidden|grid|appears|look-.*|pointer-events-none|animate-pulse|print|-scale-x-100)$/
const silent = new Set(['SVG', 'STYLE', 'SCRIPT', 'CANVAS', 'TEMPLATE'])

/**
 * What a part of the page says and offers, a line for each element that says or offers anything: its
 * attributes, its state and its text, without what is drawn for the eye alone.
 */
export function outline(root: Element = document.body): string[] {
  const lines: string[] = []
  for (const child of root.childNodes) describe(child, 0, lines)
  return lines
}

function describe(node: Node, depth: number, lines: string[]): void {
  const margin = '  '.repeat(depth)
  if (node.nodeType === Node.TEXT_NODE) {
    const text = node.textContent?.trim() ?? ''
    if (text !== '') lines.push(`${margin}${text}`)
    return
  }
  if (!(node instanceof Element) || silent.has(node.tagName.toUpperCase())) return
  if (node instanceof HTMLDialogElement && !node.open && node.childElementCount === 0) return
  const words = wordsOf(node)
  const isPlain = /^(?:DIV|SPAN)$/.test(node.tagName) && words.length === 0
  if (!isPlain) lines.push(`${margin}${[node.tagName.toLowerCase(), ...words].join(' ')}`)
  for (const child of node.childNodes) describe(child, isPlain ? depth : depth + 1, lines)
}

function wordsOf(element: Element): string[] {
  const words: string[] = []
  for (const { name, value } of element.attributes) {
    if (/^aria-(?:labelledby|describedby)$/.test(name)) {
      words.push(`${name}=“${textOf(value)}”`)
    } else if (name.startsWith('aria-') && name !== 'aria-controls') words.push(`${name}=${value}`)
    else if (told.includes(name) && !(name === 'name' && value.startsWith('_'))) {
      words.push(value === '' ? name : `${name}=${value}`)
    }
  }
  if (element instanceof HTMLInputElement && element.checked) words.push('(checked)')
  if (element instanceof HTMLInputElement && element.type === 'text')
    words.push(`(${element.value})`)
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) {
    words.push(`(${element.value})`)
  }
  const seen = [...element.classList].filter((token) => states.test(token))
  return seen.length === 0 ? words : [...words, `.${seen.join('.')}`]
}

function textOf(ids: string): string {
  return ids
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '?')
    .join(' ')
}

/** Lines that have gone, with a minus, and that have come, with a plus. */
export function changesOf(before: readonly string[], after: readonly string[]): string[] {
  const rest = [...after]
  const gone = before.filter((line) => {
    const at = rest.indexOf(line)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  return [...gone.map((line) => `- ${line.trim()}`), ...rest.map((line) => `+ ${line.trim()}`)]
}
