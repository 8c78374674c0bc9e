import { errorTable } from '@starside/contract/errors.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { z } from 'zod'
import { readAct } from './act-fields.ts'
import type { ActField, ActName, DeclaredAct } from './act-fields.ts'
import type { OperatorParts } from './parts.ts'
import { checkFields, seeMarkedFields } from './check-fields.ts'
import type { OperatorCall, OperatorForm, FormOutcome, SubmittedForm } from './operator-page.ts'
import { html } from '../platform/http/html.ts'
import type { PlacedStar } from '../stars/open-presets.ts'
import type { LoggedChange } from './operator-log.ts'
import { judgePassword } from './own-password.ts'
import { qrCode, showOnce } from './tables.ts'

/** What acts work with, in the running program as on the command line, where some is opened when used. */
export interface ActParts extends Pick<
  OperatorParts,
  'database' | 'clock' | 'config' | 'randomBytes'
> {
  /** Whoever acts, as it stands in the log. */
  operatorName: string
  jobs: Pick<OperatorParts['jobs'], 'enqueue'>
  engine: Pick<OperatorParts['engine'], 'admit' | 'makeLogo'>
  store(): Promise<OperatorParts['store']>
  keys(): Promise<OperatorParts['keys']>
  /** The stars that come with the program or are published, in their order. */
  listStars(): Promise<PlacedStar[]>
}

/** A text that is shown this once: codes, a password, a link, which may be a code to scan too. */
interface ShownOnce {
  text: string
  note: string
  /** The text as a file, and what of it is handed out one by one. */
  file?: { name: string; codes: readonly string[] }
  isScanned?: true
}

/** How an act ended; nothing changed where it is refused. */
export type ActOutcome =
  | {
      done: string
      shownOnce?: ShownOnce
      /** Less was done than was asked for. */
      isPartial?: boolean
      to?: string
      log?: LoggedChange
    }
  | { refused: string; problems?: Record<string, string> }

/** What operators do: form, command, right and row in the log follow from its `acts.json`. */
export interface Act extends OperatorForm, DeclaredAct {
  name: ActName
  run(parts: ActParts, submitted: SubmittedForm): Promise<ActOutcome>
}

/** @param declared `moreFields` come after those that `acts.json` names */
export function defineAct<Schema extends z.ZodType>(
  name: ActName,
  declared: {
    fileBytesMax?: number
    moreFields?: Record<string, ActField>
    schema: Schema
    /** Looks at the files of what is refused for other fields too; throws as `run` does. */
    look?(parts: ActParts, files: SubmittedForm['files']): Promise<undefined>
    run(
      parts: ActParts,
      input: z.output<Schema>,
      files: SubmittedForm['files'],
    ): Promise<ActOutcome>
  },
): Act {
  const texts = readAct(name)
  const fields = { ...texts.fields, ...declared.moreFields }
  const run: Act['run'] = async (parts, submitted) => {
    const { files } = submitted
    const checked = checkFields(declared.schema, submitted.fields)
    const missing = Object.entries(fields)
      .filter(([field, { kind, isRequired }]) => kind === 'file' && isRequired && !(field in files))
      .map(([field]) => [field, 'This is needed.'] as const)
    if ('input' in checked && missing.length === 0) {
      return declared.run(parts, checked.input, files).catch((error) => refusePicture(error, files))
    }
    const looked = declared.look?.(parts, files).catch((error) => refusePicture(error, files))
    const ofFiles = { ...Object.fromEntries(missing), ...(await looked)?.problems }
    return { refused: seeMarkedFields, problems: { ...ofFiles, ...checked.problems } }
  }
  return {
    ...texts,
    name,
    fields,
    run,
    fileBytesMax: declared.fileBytesMax,
    async submit(call, { fields: { current = '', ...sent }, files }) {
      if (texts.asksPassword && call.operator.id !== undefined) {
        const judged = await judgePassword(call, current)
        if ('refused' in judged) return judged
      }
      const outcome = await run(partsOf(call), { fields: { ...sent, ...call.params }, files })
      return showOutcome(call, outcome)
    },
  }
}

/** Says why a picture can't be used, beside its field where it is the only one; throws whatever else went wrong. */
function refusePicture(error: unknown, files: SubmittedForm['files']) {
  if (!(error instanceof PhotoError)) throw error
  const { sentence } = errorTable[error.code]
  const [name = '', ...others] = Object.keys(files)
  return others.length === 0
    ? { refused: seeMarkedFields, problems: { [name]: sentence } }
    : { refused: `Nothing was changed. ${sentence}`, problems: {} }
}

function partsOf({ context, operator }: OperatorCall): ActParts {
  return {
    ...context,
    operatorName: operator.name,
    store: async () => context.store,
    keys: async () => context.keys,
    listStars: async () => context.presets.listPlaced(),
  }
}

/** A text that is shown once is there to copy, and as a file that the browser makes of the page itself. */
async function showOutcome({ path }: OperatorCall, outcome: ActOutcome): Promise<FormOutcome> {
  if (!('done' in outcome) || outcome.shownOnce === undefined) return outcome
  const { done, shownOnce, log } = outcome
  const { text, note, file, isScanned } = shownOnce
  const page = html`<p><b>${done}</b> ${note}</p>
    ${
      file !== undefined &&
      html`<p>
        <a href="data:text/csv;charset=utf-8,${encodeURIComponent(text)}" download="${file.name}"
          >Save as CSV</a
        >
      </p>`
    }
    ${isScanned && (await qrCode(text))} ${showOnce(...(file?.codes ?? [text]))}
    <p><a class="button" href="${path}">Back</a></p>`
  return { page, ...(log === undefined ? {} : { log }) }
}

/** The fields of an act for one that changes what it made: nothing of it has to be said again. */
export function fieldsToChange({ fields }: Act, without: readonly string[]): Act['fields'] {
  const changeable = Object.entries(fields).filter(([name]) => !without.includes(name))
  return Object.fromEntries(
    changeable.map(([name, { isRequired: _isRequired, ...field }]) => [name, field]),
  )
}

/** The forms of a page that do these acts, by the last word of each. */
export function actForms(...acts: readonly Act[]): Record<string, OperatorForm> {
  return Object.fromEntries(acts.map((act) => [formNameOf(act), act]))
}

/** The name of an act's form, such as `settle`. */
export function formNameOf({ name }: Pick<Act, 'name'>): string {
  return name.split(' ').at(-1) ?? name
}

/** Why an operator does something; it stands in the log. */
export const reasonSchema = z.string('Please say why.').trim().min(1, 'Please say why.').max(500)
