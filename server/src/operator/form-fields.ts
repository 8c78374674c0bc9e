import { defaultLanguage, languageNames, languages } from '@starside/contract/languages.ts'
import type { Language } from '@starside/contract/languages.ts'
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
  type?: 'text' | 'email' | 'url' | 'password' | 'color' | 'date' | 'datetime-local'
  autocomplete?: string
  inputMode?: 'numeric' | 'decimal'
}

/** One of several that can be ticked. */
export type TickOption = { value: string; text: string; image?: string }

/** Fields of one form, filled with what was entered if it was refused. */
export type Fields = ReturnType<typeof fieldsOf>

export interface FormOptions {
  button: string
  takesFiles?: boolean
  /** Folded behind its button: it is rare, or stands in a table's row. */
  isFolded?: boolean
  /** What can't be undone or shuts somebody out: read before it is pressed, so that it is folded too. */
  warning?: string | undefined
  /** Which of several forms of that name on the page, such as the id of a table's row. */
  row?: string
  /** What its fold shows in place of the button. */
  summary?: Html
}

/** A form to `<page>/<name>` with its token; once done, its button has the focus and says so. */
export function form(
  call: OperatorCall,
  name: string,
  body: (fields: Fields) => Html,
  { button, takesFiles = false, isFolded = false, warning, row, summary }: FormOptions,
): Html {
  const refused =
    call.refused?.form === name && call.refused.values['row'] === row ? call.refused : undefined
  const isDone = call.done?.form === name && call.done.row === row
  const focus = isDone && html`autofocus aria-describedby="${toldId}"`
  const isBehind = isFolded || warning !== undefined
  const shown = html`<form
    method="post"
    action="${call.path}/${name}"
    ${takesFiles && html`enctype="multipart/form-data"`}
  >
    <input type="hidden" name="csrf" value="${call.csrfToken}" />
    ${row !== undefined && html`<input type="hidden" name="row" value="${row}" />`}
    ${body(fieldsOf(`${name}${row ?? ''}`, refused))}
    ${warning !== undefined && html`<p class="warn">${warning}</p>`}
    <button class="${warning !== undefined && 'danger'}" ${!isBehind && focus}>${button}</button>
  </form>`
  if (!isBehind) return shown
  return html`<details${refused !== undefined && html` open`}>
    <summary${warning !== undefined && html` class="danger"`}${focus && html` ${focus}`}>${summary ?? button}</summary>
    ${shown}
  </details>`
}

/** How a row's fold says its place: it is dragged by it, moved by the arrow keys, or put where its form says. */
export const placeMark = (name: string, index: number): Html =>
  html`<span class="place">${index + 1}</span><span class="spoken"> Move ${name}</span>`

/** The id of what a page says above its content. */
export const toldId = 'told'

/** @param prefix of the ids, as a name may stand in several forms */
function fieldsOf(prefix: string, refused: RefusedForm | undefined) {
  const valueOf = ({ name, value = '' }: FieldOptions) =>
    refused === undefined ? String(value) : (refused.values[name] ?? '')
  const wrong = Object.keys(refused?.problems ?? {})
  const problemOf = (name: string) => {
    const problem = refused?.problems[name]
    return problem !== undefined && html`<p class="bad">${problem}</p>`
  }
  /** What may stay as it is, by names that fields end with, behind a summary; open where one of them is wrong. */
  const folded = (summary: string, names: readonly string[], shown: Html[]) => {
    const isWrong = wrong.some((name) => names.some((end) => name.endsWith(end)))
    return html`<details class="entry" ${isWrong && html`open`}>
      <summary>${summary}</summary>
      ${shown}
    </details>`
  }
  const wrap = (options: FieldOptions, control: (attributes: Html) => Html) =>
    frameOf(`${prefix}-${options.name}`, refused, options, control)
  return {
    text: (options: FieldOptions) =>
      wrap(
        options,
        (attributes) =>
          html`<input
            type="${options.type ?? 'text'}"
            value="${options.type === 'password' ? '' : valueOf(options)}"
            ${attributes}
            ${options.inputMode !== undefined && html`inputmode="${options.inputMode}"`}
            autocomplete="${options.autocomplete ?? 'off'}"
          />`,
      ),
    area: (options: FieldOptions & { rows?: number }) =>
      wrap(
        options,
        // A line break after the tag is not part of the value.
        (attributes) =>
          html`<textarea rows="${options.rows ?? 4}" ${attributes}>${valueOf(options)}</textarea>`,
      ),
    select: (
      options: FieldOptions & { options: readonly (readonly [value: string, text: string])[] },
    ) =>
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
    /** Sends `on` when it is ticked, and nothing otherwise. */
    checkbox({
      name,
      label,
      isTicked = false,
    }: Pick<FieldOptions, 'name' | 'label'> & { isTicked?: boolean }) {
      const isOn = refused === undefined ? isTicked : refused.values[name] === 'on'
      return html`<div class="entry">
        <label class="tick"
          ><input type="checkbox" name="${name}" ${isOn && html`checked`} />${label}</label
        >
        ${problemOf(name)}
      </div>`
    },
    /** Ticks by one name; what is ticked becomes lines, and nothing where none is. */
    checkboxes(options: FieldOptions & { options: readonly TickOption[] }) {
      const { name, label, hint } = options
      const ticked = valueOf(options).split(/[\s,]+/)
      return html`<fieldset class="entry">
        <legend>${label}</legend>
        ${hint !== undefined && html`<p class="hint">${hint}</p>`}
        <input type="hidden" name="${name}" value="" />
        <div class="ticks">
          ${options.options.map(
            ({ value, text, image }) =>
              html`<label class="tick"
                ><input
                  type="checkbox"
                  name="${name}"
                  value="${value}"
                  ${ticked.includes(value) && html`checked`}
                />${image !== undefined && html`<img src="${image}" alt="" />`}${text}</label
              >`,
          )}
        </div>
        ${problemOf(name)}
      </fieldset>`
    },
    file: (options: FieldOptions & { accept: string }) =>
      wrap(
        options,
        (attributes) =>
          html`<span class="file">
            <input type="file" accept="${options.accept}" ${attributes} /><b>Choose a file</b>
            <img data-shows="${options.name}" alt="" hidden />
          </span>`,
      ),
    hidden: (name: string, value: string | number) =>
      html`<input type="hidden" name="${name}" value="${value}" />`,
    folded,
    /** What there is once for each language, in names that end with it: all but the first are folded. */
    inLanguages: (show: (language: Language) => Html) =>
      html`${show(defaultLanguage)}
      ${folded(translations.map(languageWord).join(', '), translations, translations.map(show))}`,
  }
}

const translations = languages.filter((language) => language !== defaultLanguage)
const englishNames = new Intl.DisplayNames('en', { type: 'language' })
/** A language by its English name, as all of these pages are in English. */
export const languageWord = (language: Language) => englishNames.of(languageNames[language].tag)!
/** Fields of a search, which changes nothing and is never refused. */
export const searchFields = fieldsOf('search', undefined)

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
  ${problem !== undefined && html`aria-invalid="true"`}
  ${name === Object.keys(refused?.problems ?? {})[0] && html`autofocus`}`
  return html`<div class="entry">
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${control(attributes)}
    ${problem !== undefined && html`<p class="bad" id="${id}-problem">${problem}</p>`}
  </div>`
}
