import { html } from '../platform/http/html.ts'
import type { Html } from '../platform/http/html.ts'
import type { OperatorCall, RefusedForm } from './operator-page.ts'

/** What a field needs: its name, what people read, its value while nothing was entered. */
export interface FieldOptions {
  name: string
  label: string
  value?: string | number
  /** A sentence below the label. */
  hint?: string
  isRequired?: boolean
  lengthMax?: number
  type?: 'text' | 'email' | 'url' | 'number' | 'password' | 'color' | 'date'
  autocomplete?: string
  inputMode?: 'numeric' | 'decimal'
}

/** Fields of one form, filled with what was entered if it was refused. */
export interface Fields {
  text(options: FieldOptions): Html
  area(options: FieldOptions & { rows?: number }): Html
  select(
    options: FieldOptions & { options: readonly (readonly [value: string, text: string])[] },
  ): Html
  /** Sends `on` when it is ticked, and nothing otherwise. */
  checkbox(options: { name: string; label: string; isTicked?: boolean }): Html
  file(options: FieldOptions & { accept: string }): Html
  hidden(name: string, value: string | number): Html
}

export interface FormOptions {
  /** What the button says. */
  button: string
  /** Set where the form has a file field. */
  takesFiles?: boolean
  /** Set where what it does can't be undone. */
  isDangerous?: boolean
  /** Which of several forms of that name on the page, such as the id of a table's row. */
  row?: string
}

/**
 * A form of the page: sent to `<page>/<name>`, with the token that guards it.
 */
export function form(
  call: OperatorCall,
  name: string,
  body: (fields: Fields) => Html,
  options: FormOptions,
): Html {
  const refused = refusedOf(call, name, options.row)
  const multipart = options.takesFiles === true && html`enctype="multipart/form-data"`
  return html`<form method="post" action="${call.path}/${name}" ${multipart}>
    <input type="hidden" name="csrf" value="${call.csrfToken}" />
    ${options.row !== undefined && html`<input type="hidden" name="row" value="${options.row}" />`}
    ${body(fieldsOf(`${name}${options.row ?? ''}`, refused))}
    <button class="${options.isDangerous === true ? 'danger' : ''}">${options.button}</button>
  </form>`
}

/** A form folded behind its button, for acts that are rare or stand in a table's row. */
export function foldedForm(
  call: OperatorCall,
  name: string,
  body: (fields: Fields) => Html,
  options: FormOptions,
): Html {
  const isOpen = refusedOf(call, name, options.row) !== undefined
  return html`<details${isOpen && html` open`}>
    <summary>${options.button}</summary>
    ${form(call, name, body, options)}
  </details>`
}

function refusedOf({ refused }: OperatorCall, name: string, row: string | undefined) {
  const isThis = refused?.form === name && refused.values['row'] === row
  return isThis ? refused : undefined
}

/** @param prefix of the ids, as a name may stand in several forms */
function fieldsOf(prefix: string, refused: RefusedForm | undefined): Fields {
  const valueOf = ({ name, value = '' }: FieldOptions) =>
    refused === undefined ? String(value) : (refused.values[name] ?? '')
  const wrap = (options: FieldOptions, control: (attributes: Html) => Html) =>
    frameOf(`${prefix}-${options.name}`, refused, options, control)
  return {
    text: (options) =>
      wrap(
        options,
        (attributes) =>
          html`<input
            type="${options.type ?? 'text'}"
            value="${options.type === 'password' ? '' : valueOf(options)}"
            ${attributes}
            ${options.inputMode !== undefined && html`inputmode="${options.inputMode}"`}
            ${options.type === 'number' && html`step="any"`}
            autocomplete="${options.autocomplete ?? 'off'}"
          />`,
      ),
    area: (options) =>
      wrap(
        options,
        // A line break after the tag is not part of the value.
        (attributes) =>
          html`<textarea rows="${options.rows ?? 4}" ${attributes}>${valueOf(options)}</textarea>`,
      ),
    select: (options) =>
      wrap(
        options,
        (attributes) =>
          html`<select ${attributes}>
            ${options.options.map(
              ([value, text]) =>
                html`<option value="${value}" ${value === valueOf(options) && html`selected`}>
                  ${text}
                </option>`,
            )}
          </select>`,
      ),
    checkbox({ name, label, isTicked = false }) {
      const isOn = refused === undefined ? isTicked : refused.values[name] === 'on'
      const problem = refused?.problems[name]
      return html`<div class="field">
        <label class="tick"
          ><input type="checkbox" name="${name}" ${isOn && html`checked`} />${label}</label
        >
        ${problem !== undefined && html`<p class="bad">${problem}</p>`}
      </div>`
    },
    file: (options) =>
      wrap(
        options,
        (attributes) => html`<input type="file" accept="${options.accept}" ${attributes} />`,
      ),
    hidden: (name, value) => html`<input type="hidden" name="${name}" value="${value}" />`,
  }
}

/** A label, hint and problem around a control, tied to it for screen readers. */
function frameOf(
  id: string,
  refused: RefusedForm | undefined,
  options: FieldOptions,
  control: (attributes: Html) => Html,
): Html {
  const { name, label, hint, isRequired, lengthMax } = options
  const problem = refused?.problems[name]
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const attributes = html`id="${id}" name="${name}" ${isRequired === true && html`required`}
  ${lengthMax !== undefined && html`maxlength="${lengthMax}"`}
  ${described !== '' && html`aria-describedby="${described}"`}
  ${problem !== undefined && html`aria-invalid="true"`}`
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${control(attributes)}
    ${problem !== undefined && html`<p class="bad" id="${id}-problem">${problem}</p>`}
  </div>`
}
