import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import { checkFields } from './check-fields.ts'
import type { Told } from './cookies.ts'
import type { OperatorParts } from './parts.ts'
import type { Html } from '../platform/http/html.ts'
import type { LoggedChange } from './operator-log.ts'
import type { Operator } from './operator-sessions.ts'
import type { OperatorRight } from './roles.ts'

/** A request of a signed-in operator who may make it. */
export interface OperatorCall {
  context: OperatorParts
  operator: Operator
  /** Parts of the path that a page names, such as `:id`. */
  params: Record<string, string>
  /** Of the address; the first of each name. */
  query: Record<string, string>
  /** What every form carries; `form()` puts it in. */
  csrfToken: string
  /** Where the page is, with its parts filled in: forms are sent below it. */
  path: string
  /** A form of this page that was refused, to be shown again with what was entered. */
  refused: RefusedForm | undefined
  /** The form that led here, as it was done. */
  done: Told | undefined
  may(right: OperatorRight): boolean
}

/** A form that was refused: what was entered, and what is wrong with it. */
export interface RefusedForm {
  form: string
  values: Record<string, string>
  /** Sentences by the field that they are about. */
  problems: Record<string, string>
}

/** A form's fields, and the bytes of its files. */
export type SubmittedForm = { fields: Record<string, string>; files: Record<string, Buffer> }

export type FormOutcome =
  /** Done: a sentence, shown on the page that the browser goes to, and what the log keeps. */
  | { done: string; to?: string; log?: LoggedChange }
  /** Done: a page that is shown this once, such as a new password. */
  | { page: Html; log?: LoggedChange }
  /** Refused: nothing changed. A sentence for all of it, others by field. */
  | { refused: string; problems?: Record<string, string> }

/** A form of a page: `POST <path of the page>/<name>`. Make it with `defineForm`, or of an act. */
export interface OperatorForm {
  /** What the log calls it, where it isn't called by its page. */
  name?: string
  right: OperatorRight
  /** Bytes that one file may have; undefined: the form takes no file. */
  fileBytesMax: number | undefined
  submit(call: OperatorCall, form: SubmittedForm): Promise<FormOutcome>
}

/** A file that a page offers: `GET <path of the page>/<name>`. */
export interface OperatorDownload {
  right: OperatorRight
  send(call: OperatorCall, reply: FastifyReply): Promise<FastifyReply>
}

/** A page of one thing, whose name is its heading. */
export type NamedPage = { name: string; body: Html }

/** What a page shows and does; where it stands, who may see it and what it is called is in `operator-pages.json`. */
export type PageBody = Pick<OperatorPage, 'show' | 'forms' | 'downloads'>

/** A page below `/admin`. It is added to `operator-pages.ts`; route, rights and navigation follow. */
export interface OperatorPage {
  /** Such as `/admin/vouchers` or `/admin/orders/:id`. */
  path: string
  title: string
  /** What is said above the page itself. */
  lead?: string
  /** What one must be allowed to do to see it. */
  right: OperatorRight
  /** Where it stands in the navigation; undefined: it is reached by links. */
  group?: NavigationGroup
  /** The page below its heading; undefined when there is no such thing (404). */
  show(call: OperatorCall): Promise<Html | NamedPage | undefined> | Html | NamedPage | undefined
  forms?: Record<string, OperatorForm>
  downloads?: Record<string, OperatorDownload>
}

export const navigationGroups = ['Start', 'Shop', 'Users', 'Records'] as const
export type NavigationGroup = (typeof navigationGroups)[number]

/** A form that a schema checks before it is submitted; issues are sentences beside their fields. */
export function defineForm<Fields extends z.ZodType>(declared: {
  right: OperatorRight
  fields: Fields
  fileBytesMax?: number
  submit(
    call: OperatorCall,
    input: z.output<Fields>,
    files: SubmittedForm['files'],
  ): Promise<FormOutcome>
}): OperatorForm {
  return {
    right: declared.right,
    fileBytesMax: declared.fileBytesMax,
    async submit(call, { fields, files }) {
      const checked = checkFields(declared.fields, fields)
      return 'refused' in checked ? checked : declared.submit(call, checked.input, files)
    },
  }
}

/** A request that the operator's pages refuse with a page of its own. */
export class OperatorError extends Error {
  override name = 'OperatorError'
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}
