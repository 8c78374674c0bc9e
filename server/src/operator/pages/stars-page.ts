import type { Presets } from '../../generation/presets.ts'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import type { AdminPage } from '../admin-page.ts'
import { table } from '../tables.ts'

export const starsPage: AdminPage = {
  path: '/admin/presets',
  title: 'Stars',
  act: 'see stars',
  group: 'Shop',
  show: ({ context }) => showStars(context.presets),
}

function showStars(presets: Presets): Html {
  return html`<p>
      Presets are added with their licence by
      <code>npm run admin -- preset add</code>.
    </p>
    ${table(
      ['Id', 'Name', 'Licence', 'Attribution', 'Picture'],
      presets
        .list()
        .map(({ id, name, licence, attribution, image }) => [
          html`<code>${id}</code>`,
          name,
          licence,
          attribution,
          html`<img src="${image}" alt="${name}" width="64" height="80" loading="lazy" />`,
        ]),
    )}`
}
