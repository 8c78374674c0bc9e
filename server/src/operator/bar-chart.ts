import { html } from '../platform/http/html.ts'
import type { Html } from '../platform/http/html.ts'

const widthPx = 600
const heightPx = 120

/**
 * Bars, one a day, as an SVG that names and describes itself; it needs no script and no style but that
 * of the page. The exact values stand in a table beside it.
 * Where all are zero, only the line is drawn.
 * @param values missing ones leave a gap
 */
export function barChart(options: {
  id: string
  title: string
  description: string
  values: readonly (number | undefined)[]
  /** Of each value, oldest first: the ends of the axis. */
  days: readonly string[]
  /** The height of the axis in words. */
  most(value: number): string
}): Html {
  const { id, title, description, values, days } = options
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  const step = widthPx / Math.max(1, values.length)
  const bars = values.map((value, index) => {
    const height = most === 0 ? 0 : ((value ?? 0) / most) * heightPx
    return html`<rect
      x="${(index * step + step * 0.1).toFixed(1)}"
      y="${(heightPx - height).toFixed(1)}"
      width="${(step * 0.8).toFixed(1)}"
      height="${height.toFixed(1)}"
    />`
  })
  return html`<p class="axis"><small>${most > 0 && options.most(most)}</small></p>
    <svg
      class="${most === 0 ? 'chart empty' : 'chart'}"
      viewBox="0 0 ${widthPx} ${heightPx + 1}"
      role="img"
      aria-labelledby="${id}-title ${id}-description"
      preserveAspectRatio="none"
    >
      <title id="${id}-title">${title}</title>
      <desc id="${id}-description">${description}</desc>
      ${bars}
      <line x1="0" x2="${widthPx}" y1="${heightPx}" y2="${heightPx}" />
    </svg>
    <p class="axis"><small>${days[0]}</small> <small>${days.at(-1)}</small></p>`
}
