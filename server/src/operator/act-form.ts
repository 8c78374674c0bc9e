import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { html } from '../platform/http/html.ts'
import type { Html } from '../platform/http/html.ts'
import { formNameOf } from './act.ts'
import type { Act } from './act.ts'
import type { ActField } from './act-fields.ts'
import type { OperatorCall } from './operator-page.ts'
import { currentPassword } from './own-password.ts'
import { form } from './form-fields.ts'
import type { Fields, FormOptions, TickOption } from './form-fields.ts'

interface ActFormOptions extends Partial<FormOptions> {
  /** What fields begin with, such as what holds now. */
  begins?: Record<string, string | number | boolean>
  /** Fields that make no sense here. */
  without?: readonly string[]
  /** What can be ticked, by the field. */
  among?: Record<string, readonly TickOption[]>
}

/**
 * The form of an act, folded where it asks for anything, without what the page's address
 * says; nothing for whom the act is none of theirs.
 * @param given values that stand fast, such as whose row it is
 */
export function actForm(
  call: OperatorCall,
  act: Act,
  given: Record<string, string> = {},
  options: ActFormOptions = {},
): Html | false {
  if (!call.may(act.right)) return false
  const { begins = {}, without = [], among = {}, ...changed } = options
  const asked = Object.keys(act.fields).filter(
    (name) => !(name in given || name in call.params || without.includes(name)),
  )
  const rare = asked.filter((name) => act.fields[name]?.isRare)
  const asksPassword = act.asksPassword === true && call.operator.id !== undefined
  return form(
    call,
    formNameOf(act),
    (fields) => {
      const show = (name: string) =>
        showField(fields, name, { ...act.fields[name]!, begins: begins[name], among: among[name] })
      return html`${Object.entries(given).map(([name, value]) => fields.hidden(name, value))}
      ${asked.filter((name) => !rare.includes(name)).map(show)}
      ${rare.length > 0 && fields.folded('More (optional)', rare, rare.map(show))}
      ${asksPassword && currentPassword(fields)}`
    },
    {
      button: act.button,
      warning: act.warning,
      takesFiles: act.fileBytesMax !== undefined,
      isFolded: asked.length > 0 || asksPassword,
      ...changed,
    },
  )
}

/** What users read of some of the values that a field can have. */
const words: Record<string, string> = texts.starCategories

type ShownField = ActField & {
  begins: string | number | boolean | undefined
  among: readonly TickOption[] | undefined
}

function showField(
  fields: Fields,
  name: string,
  { begins, among = [], ...field }: ShownField,
): Html {
  const { kind = 'text', label } = field
  const value = typeof begins === 'boolean' ? undefined : begins
  const shown = { ...field, name, ...(value === undefined ? {} : { value }) }
  if (typeof kind !== 'string') {
    return fields.select({ ...shown, options: kind.map((each) => [each, words[each] ?? each]) })
  }
  switch (kind) {
    case 'once':
      return fields.hidden(name, crypto.randomUUID())
    case 'tick':
      return fields.checkbox({ name, label, isTicked: begins === true })
    case 'area':
      return fields.area(shown)
    case 'file':
      return fields.file({ ...shown, accept: field.accept ?? '' })
    case 'many':
      return fields.checkboxes({ ...shown, options: among })
    case 'number':
      return fields.text({ ...shown, inputMode: 'numeric' })
    case 'date':
      return fields.text({ ...shown, type: 'date' })
    case 'moment':
      return fields.text({ ...shown, type: 'datetime-local' })
    case 'text':
      return fields.text(shown)
  }
}
