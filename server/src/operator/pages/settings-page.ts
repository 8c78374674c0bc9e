import { keysOf } from '@starside/contract/keys-of.ts'
import { html } from '../../platform/http/html.ts'
import { describeSetting, environmentSchema } from '../../settings/environment-schema.ts'
import type { PageBody } from '../operator-page.ts'
import { listTable } from '../tables.ts'
import { withCode } from './first-steps-page.ts'

/** By their names: what is a key or a password, or may hold one. */
const secrets = /SECRET|KEY|PASSWORD|OTLP_HEADERS|DATABASE_\w*URL|SMTP_URL|EXTRA_JSON/

/** All variables of the environment as this node read them; they are set there alone. */
export const settingsPage: PageBody = {
  show: ({ context: { config } }) =>
    html`<p>
        These are set in the program's <code>.env</code> or the container's environment, and read at
        the start. Restart after a change.
      </p>
      ${listTable(keysOf(environmentSchema.shape), '', {
        Setting: (name) => html`<code id="${name}">${name}</code>`,
        Value: (name) => valueOf(name, config.settings[name]),
        'What for': (name) => withCode(describeSetting(name)),
      })}`,
}

function valueOf(name: string, value: string | number | undefined): string {
  if (value === undefined) return 'not set'
  // An address may hold a password too.
  return secrets.test(name) ? 'set' : String(value).replaceAll(/\/\/[^/\s]*@/g, '//…@')
}
