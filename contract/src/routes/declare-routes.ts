import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { successAnswer } from '../successful.ts'
import type { LimitedCall } from './limited-calls.ts'

/** Method, path (parameters as `:name`) and perhaps the action: `POST /api/auth?action=login`. */
export type RouteKey = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`

/** What a call takes in its body. */
export interface RouteBody {
  mediaType: 'application/json' | 'multipart/form-data'
  /** Name of the schema in the document. */
  name: string
  schema: z.ZodType
  /** Fields that are files. */
  files?: readonly string[]
}

/** An answer of a status: JSON of a schema, or files of some media types. */
export type RouteAnswer =
  | { name: string; schema: z.ZodType; note?: string }
  | { mediaTypes: readonly string[] }

/** Everything about a call but what it does: the server and its clients read no other list. */
export interface RouteDeclaration {
  summary: string
  /** `user`: `Authorization: Bearer`. `guest`: or a guest's cookie, with its event's header. */
  access: 'anybody' | 'user' | 'guest'
  /** Which limit counts its calls. */
  limit?: LimitedCall
  /** Takes an `Idempotency-Key`. */
  repeatable?: true
  /** Parameters of the query beside `action`. */
  query?: z.ZodObject
  /** Absent also where the bytes are taken as they are, as for signed callbacks. */
  body?: RouteBody
  /** By status; the lowest is the usual one. */
  answers: Readonly<Partial<Record<200 | 201 | 202, RouteAnswer>>>
  /** The refusals that are this call's own, beside those of every call. */
  errors?: readonly ErrorCode[]
}

export type Routes = Readonly<Record<RouteKey, RouteDeclaration>>

/** Keeps the exact types of the declarations, from which those of handlers and clients follow. */
export function declareRoutes<const Declared extends Routes>(routes: Declared): Declared {
  return routes
}

/** A JSON answer; `name` is its schema's in the document. */
export function json<Schema extends z.ZodType>(name: string, schema: Schema, note?: string) {
  return { name, schema, ...(note === undefined ? {} : { note }) }
}

export const success = json('SuccessAnswer', successAnswer)

export function files(...mediaTypes: string[]): { mediaTypes: readonly string[] } {
  return { mediaTypes }
}

export function jsonBody<Schema extends z.ZodType>(name: string, schema: Schema) {
  return { mediaType: 'application/json', name, schema } as const
}

/** A form whose `files` are sent as files; the schema has them as texts. */
export function formBody<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  fileNames: readonly string[],
) {
  return { mediaType: 'multipart/form-data', name, schema, files: fileNames } as const
}

/** The parameters of a route's path. */
export type PathParams<Key extends string> = {
  [Name in PathParamNames<WithoutAction<Key>>]: string
}

type WithoutAction<Key extends string> = Key extends `${infer Path}?${string}` ? Path : Key

type PathParamNames<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | PathParamNames<`/${After}`>
    : Rest
  : never

/** What the call takes in its query and in its body, before and after the check. */
export type QueryInput<Route> = Route extends { query: infer Schema } ? z.input<Schema> : undefined
export type QueryOutput<Route> = Route extends { query: infer Schema }
  ? z.output<Schema>
  : undefined
export type BodyInput<Route> = Route extends { body: { schema: infer Schema } }
  ? z.input<Schema>
  : undefined
export type BodyOutput<Route> = Route extends { body: { schema: infer Schema } }
  ? z.output<Schema>
  : undefined

/** What the call answers in JSON; never for one that answers files alone. */
export type AnswerOf<Route> = Route extends { answers: infer Answers }
  ? JsonOf<Answers[keyof Answers]>
  : never

type JsonOf<Answer> = Answer extends { schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : never
