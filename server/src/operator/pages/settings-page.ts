import { keysOf } from '@starside/contract/keys-of.ts'
import { html } from '../../platform/http/html.ts'
import sectionTitles from '../../settings/setting-sections.json' with { type: 'json' }
import { describeSetting, environmentSchema } from '../../settings/environment-schema.ts'
import type { PageBody } from '../operator-page.ts'
import { listTable } from '../tables.ts'
import { withCode } from './first-steps-page.ts'

/** By their names: what is a key or a password, or may hold one. */
const secrets = /SECRET|KEY|PASSWORD|OTLP_HEADERS|DATABASE_\w*URL|SMTP_URL|EXTRA_JSON/

const names = keysOf(environmentSchema.shape)
const defaults = environmentSchema.parse({})
const titles: Record<string, string> = sectionTitles
/** Settings by the first one of their section. */
const sections = Map.groupBy(names, (name) =>
  names.slice(0, names.indexOf(name) + 1).findLast((each) => each in titles),
)

/** All variables of the environment as this node read them, those that were set first; they are set there alone. */
export const settingsPage: PageBody = {
  show({ context: { config } }) {
    const isSet = (name: (typeof names)[number]) => config.settings[name] !== defaults[name]
    const table = (of: typeof names) =>
      listTable(of, 'None.', {
        Setting: (name) => html`<code id="${name}">${name}</code>`,
        Value: (name) => valueOf(name, config.settings[name]),
        'What for': (name) => withCode(describeSetting(name)),
      })
    return html`<h2>Changed</h2>
      ${table(names.filter(isSet))}
      <h2>Defaults</h2>
      ${[...sections].map(
        ([first = '', all]) =>
          html`<details class="section">
            <summary><h3>${titles[first]}</h3></summary>
            ${table(all.filter((name) => !isSet(name)))}
          </details>`,
      )}`
  },
}

function valueOf(name: string, value: string | number | undefined): string {
  if (value === undefined) return 'not set'
  // An address may hold a password too.
  return secrets.test(name) ? 'set' : String(value).replaceAll(/\/\/[^/\s]*@/g, '//…@')
}
