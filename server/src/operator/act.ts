import type { z } from 'zod'
import type { OperatorParts } from './parts.ts'
import { problemsOf, seeMarkedFields } from './operator-page.ts'
import type { OperatorCall, OperatorForm, FormOutcome, SubmittedForm } from './operator-page.ts'
import { html } from '../platform/http/html.ts'
import type { Html } from '../platform/http/html.ts'
import type { PlacedStar } from '../stars/open-presets.ts'
import type { LoggedChange } from './operator-log.ts'
import type { OperatorRight } from './roles.ts'

/** What acts work with, in the running program as on the command line, where some is opened when used. */
export interface ActParts extends Pick<
  OperatorParts,
  'database' | 'clock' | 'config' | 'randomBytes'
> {
  /** Whoever acts, as it stands in the log. */
  operatorName: string
  jobs: Pick<OperatorParts['jobs'], 'enqueue'>
  engine: Pick<OperatorParts['engine'], 'normalise'>
  store(): Promise<OperatorParts['store']>
  keys(): Promise<OperatorParts['keys']>
  /** The stars that come with the program or are published, in their order. */
  listStars(): Promise<PlacedStar[]>
}

/** A field of an act: what a form shows of it, and where it stands on the command line. */
export interface ActField {
  label: string
  hint?: string
  /** Not to be left empty. */
  isRequired?: true
  lengthMax?: number
  /** What the form begins with. */
  value?: string | number
  /** `text` unless told; a file is named by its path on the command line; `once` is never seen. */
  kind?: 'text' | 'number' | 'date' | 'area' | 'tick' | 'file' | 'once' | readonly string[]
  /** Its word of the command, such as `ORDER_ID`; undefined: it is an option. */
  place?: string
  /** Its option of the command, where that isn't its name. */
  option?: string
  accept?: string
}

/** How an act ended; nothing changed where it is refused. */
export type ActOutcome =
  | {
      done: string
      /** A text that is shown this once: codes, a password. */
      shownOnce?: { text: string; note: string; fileName?: string }
      /** Less was done than was asked for. */
      isPartial?: boolean
      /** Where the page leads then. */
      to?: string
      log?: LoggedChange
    }
  | { refused: string; problems?: Record<string, string> }

/**
 * Something that operators do. Its form, its command, who may do it and its row in the log follow from
 * what is declared here.
 */
export interface Act extends OperatorForm {
  /** Two words, as the command has them; also what the log says: `orders settle`. */
  name: string
  /** What it does, in the list of commands. */
  help: string
  button: string
  /** Read before it is done: what can't be undone by it, or who is shut out. */
  warning: string | undefined
  fields: Record<string, ActField>
  run(parts: ActParts, submitted: SubmittedForm): Promise<ActOutcome>
}

/** @param declared `fields` are in the order of the form; those with a place come first in a command */
export function defineAct<Schema extends z.ZodType>(declared: {
  name: string
  right: OperatorRight
  help: string
  button: string
  warning?: string | undefined
  fileBytesMax?: number
  fields: Record<string, ActField>
  schema: Schema
  run(parts: ActParts, input: z.output<Schema>, files: SubmittedForm['files']): Promise<ActOutcome>
}): Act {
  const { name, help, button, warning, fields, schema } = declared
  const run: Act['run'] = async (parts, submitted) => {
    const { files } = submitted
    const parsed = schema.safeParse(submitted.fields)
    const missing = Object.entries(fields)
      .filter(([field, { kind, isRequired }]) => kind === 'file' && isRequired && !(field in files))
      .map(([field]) => [field, 'This is needed.'] as const)
    if (parsed.success && missing.length === 0) return declared.run(parts, parsed.data, files)
    const problems = { ...Object.fromEntries(missing), ...problemsOf(parsed.error) }
    return { refused: seeMarkedFields, problems }
  }
  return {
    name,
    help,
    button,
    warning,
    fields,
    run,
    right: declared.right,
    fileBytesMax: declared.fileBytesMax,
    async submit(call, { fields: sent, files }) {
      const outcome = await run(partsOf(call), { fields: { ...sent, ...call.params }, files })
      return showOutcome(call, outcome)
    },
  }
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

function showOutcome({ path }: OperatorCall, outcome: ActOutcome): FormOutcome {
  if (!('done' in outcome) || outcome.shownOnce === undefined) return outcome
  const { done, shownOnce, log } = outcome
  return { page: showOnce(path, done, shownOnce), ...(log === undefined ? {} : { log }) }
}

/** A text to copy, and as a file that the browser makes of the page itself. */
function showOnce(
  path: string,
  done: string,
  { text, note, fileName }: { text: string; note: string; fileName?: string },
): Html {
  return html`<p><b>${done}</b> ${note}</p>
    ${
      fileName !== undefined &&
      html`<p>
        <a href="data:text/csv;charset=utf-8,${encodeURIComponent(text)}" download="${fileName}"
          >Save as CSV</a
        >
      </p>`
    }
    <pre>${text}</pre>
    <p><a class="button" href="${path}">Back</a></p>`
}

/** The forms of a page that do these acts, by the last word of each. */
export function actForms(...acts: readonly Act[]): Record<string, OperatorForm> {
  return Object.fromEntries(acts.map((act) => [formNameOf(act), act]))
}

/** The name of an act's form, such as `settle`. */
export function formNameOf({ name }: Pick<Act, 'name'>): string {
  return name.split(' ').at(-1) ?? name
}
