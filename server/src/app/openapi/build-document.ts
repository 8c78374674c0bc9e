import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import { photoRoles } from '@starside/engine/photo/photo-error.ts'
import { z } from 'zod'
import type { RouteBody } from '@starside/contract/routes/declare-routes.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'
import frame from './document-parts.json' with { type: 'json' }

type JsonObject = Record<string, unknown>

/**
 * The OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.1) of the declared routes, with the schemas
 * that the program itself checks by. OpenAPI tells calls apart by method and path alone, so calls
 * that share them, apart by `action`, are one operation with alternatives.
 */
export function buildOpenApi(
  routes: readonly RouteDescription[],
  options: { publicUrl: string; version: string; siteName: string },
): JsonObject {
  const schemas: JsonObject = { FailureAnswer: failureSchema }
  const paths: Record<string, JsonObject> = {}
  for (const group of groupByOperation(routes)) {
    const { method, path } = group[0]
    const operations = (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})
    operations[method.toLowerCase()] = buildOperation(group, schemas)
  }
  const { openapi, description, securitySchemes } = frame
  return {
    openapi,
    info: { title: options.siteName, version: options.version, description },
    servers: [{ url: options.publicUrl }],
    paths,
    components: { securitySchemes, schemas },
  }
}

type Group = [RouteDescription, ...RouteDescription[]]

function groupByOperation(routes: readonly RouteDescription[]): Group[] {
  const groups = Map.groupBy(routes, ({ method, path }) => `${method} ${path}`)
  // A group begins with its first member.
  return [...groups.values()] as Group[]
}

function buildOperation(group: Group, schemas: JsonObject): JsonObject {
  const [first] = group
  const access = new Set(group.map((route) => route.access))
  const body = buildBody(group, schemas)
  const summaries = group.map(({ action, summary }) =>
    action === undefined ? summary : `- \`${action}\`: ${summary}`,
  )
  return {
    operationId: operationId(first),
    tags: [...new Set(group.map((route) => route.group))],
    ...(first.action === undefined
      ? { summary: first.summary }
      : { description: summaries.join('\n') }),
    parameters: buildParameters(group),
    ...(body === undefined ? {} : { requestBody: body }),
    // An empty requirement beside the other says that some of the calls need no sign-in.
    security: [
      ...(access.has('anybody') ? [{}] : []),
      ...(access.has('user') || access.has('guest') ? [{ bearer: [] }] : []),
      ...(access.has('guest') ? [{ guest: [] }] : []),
    ],
    responses: buildResponses(group, schemas),
  }
}

function operationId({ method, path }: RouteDescription): string {
  const words = path.split(/[/:.-]/).filter((word) => word !== '' && word !== 'api')
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return method.toLowerCase() + name
}

function buildParameters(group: Group): JsonObject[] {
  const [first] = group
  const names = [...first.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const actions = group.flatMap(({ action }) => action ?? [])
  const queries = group.flatMap(({ query }) => Object.entries(query?.shape ?? {}))
  const isRequired = (schema: z.core.$ZodType) =>
    group.length === 1 && !z.safeParse(schema, undefined).success
  const isRepeatable = group.some(({ repeatable }) => repeatable)
  return [
    ...names.map((name) => parameter('path', name, true)),
    ...(actions.length > 0 ? [parameter('query', 'action', true, { enum: actions })] : []),
    ...queries.map(([name, schema]) => parameter('query', name, isRequired(schema))),
    ...(isRepeatable ? [parameter('header', 'Idempotency-Key', false, frame.idempotencyKey)] : []),
  ]
}

function parameter(place: string, name: string, required: boolean, limits: object = {}) {
  return { name, in: place, required, schema: { type: 'string', ...limits } }
}

function buildBody(group: Group, schemas: JsonObject): JsonObject | undefined {
  const bodies = group.flatMap(({ body }) => body ?? [])
  for (const body of bodies) schemas[body.name] = bodySchema(body)
  return bodies.length === 0 ? undefined : { content: contentOf(bodies) }
}

/** What is sent or answered by its media type: by one schema or any of several, or as files. */
function contentOf(parts: readonly { mediaType: string; name?: string }[]): JsonObject {
  const groups = [...Map.groupBy(parts, ({ mediaType }) => mediaType)]
  const contents = groups.map(([mediaType, group]) => {
    const names = new Set(group.flatMap(({ name }) => name ?? []))
    return [mediaType, names.size === 0 ? {} : { schema: oneOrAny([...names].map(reference)) }]
  })
  return Object.fromEntries(contents)
}

function bodySchema({ schema, files = [] }: RouteBody): JsonObject {
  const { properties, ...converted } = toJsonSchema(schema, 'input')
  const fields: JsonObject = { ...properties }
  // RFC 7578 sends files as they are; OpenAPI 3.1 says so by a media type without a schema type.
  for (const name of files) fields[name] = { contentMediaType: 'application/octet-stream' }
  return properties === undefined ? converted : { ...converted, properties: fields }
}

function buildResponses(group: Group, schemas: JsonObject): JsonObject {
  const responses: JsonObject = {}
  const answers = group.flatMap((route) => Object.entries(route.answers))
  for (const [status, some] of Map.groupBy(answers, ([each]) => each)) {
    const parts = some.flatMap(([, answer]) => {
      if ('mediaTypes' in answer) return answer.mediaTypes.map((mediaType) => ({ mediaType }))
      schemas[answer.name] = toJsonSchema(answer.schema, 'output')
      return [{ mediaType: 'application/json', name: answer.name }]
    })
    responses[status] = { description: 'As asked for.', content: contentOf(parts) }
  }
  for (const [status, codes] of failureStatuses(group)) {
    responses[String(status)] ??= {
      description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      content: { 'application/json': { schema: reference('FailureAnswer') } },
    }
  }
  return responses
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

function oneOrAny(schemas: JsonObject[]): JsonObject {
  const [only, ...others] = schemas
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas }
}

/** The schema as JSON Schema, of what is sent (`input`) or of what comes (`output`). */
export function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
): z.core.JSONSchema.BaseSchema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return converted
}

const photo = { enum: [...photoRoles], description: 'Which photo was refused, where it was one.' }
const { properties: ofFailures, ...failure } = frame.failure
const failureSchema: JsonObject = { ...failure, properties: { ...ofFailures, photo } }

/** The refusals of some calls by their HTTP status, those of every call included. */
export function failureStatuses(
  routes: readonly Pick<RouteDescription, 'errors' | 'access' | 'body' | 'action'>[],
): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>(['too_many_requests', 'internal', 'unavailable'])
  for (const { errors = [], access, body, action } of routes) {
    for (const code of errors) codes.add(code)
    if (access !== 'anybody')
      codes.add('token_missing').add('token_invalid').add('account_suspended')
    if (body !== undefined) codes.add('invalid_request').add('body_too_large')
    if (action !== undefined) codes.add('unknown_action')
  }
  return Map.groupBy(codes, (code) => errorTable[code].status)
}
