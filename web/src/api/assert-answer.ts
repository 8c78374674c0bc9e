import type { RouteDeclaration } from '@starside/contract/routes/declare-routes.ts'
import { routes } from '@starside/contract/routes/routes.ts'
import type { Call } from './call.ts'

/** Throws when an answer has another shape than declared; for development and tests alone. */
export function assertAnswer(key: Call, status: number, answer: unknown): void {
  const { answers }: RouteDeclaration = routes[key]
  const declared = Object.entries(answers).find(([of]) => Number(of) === status)?.[1]
  if (declared === undefined || 'mediaTypes' in declared) {
    throw new Error(`${key} answered ${status}, which is not declared`)
  }
  const { error } = declared.schema.safeParse(answer)
  if (error !== undefined)
    throw new Error(`${key} answered otherwise than declared`, { cause: error })
}
