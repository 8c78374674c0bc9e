import rights from './rights.json' with { type: 'json' }

/** Who runs the installation: an owner does everything, the others what their work needs. */
export const operatorRoles = ['owner', 'support', 'moderator'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** What operators can do, and which roles may: pages and acts name one; nothing else decides. */
export const operatorRights: Record<keyof typeof rights, readonly string[]> = rights

export type OperatorRight = keyof typeof rights

export function mayDo(role: OperatorRole, right: OperatorRight): boolean {
  return operatorRights[right].includes(role)
}
