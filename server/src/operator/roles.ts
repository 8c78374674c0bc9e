/** Who runs the installation: an owner does everything, the others what their work needs. */
export const operatorRoles = ['owner', 'support', 'moderator'] as const
export type OperatorRole = (typeof operatorRoles)[number]

const everybody = operatorRoles
const owners = ['owner'] as const
const support = ['owner', 'support'] as const
const moderators = ['owner', 'moderator'] as const

/**
 * What can be done on the operator's pages, and who may. Every page and every act names one of
 * these rights; nothing else decides.
 */
export const operatorRights = {
  'see the overview': everybody,
  'change own sign-in': everybody,
  'see first steps': owners,
  'change brand': owners,
  'change packages': owners,
  'change pages': owners,
  'manage operators': owners,
  'see the log': owners,
  'see books': owners,
  'see figures': owners,
  'see users': everybody,
  'see sessions': support,
  'see selfies': everybody,
  'open pictures': moderators,
  'suspend users': everybody,
  'grant credits': support,
  'correct credits': owners,
  'export users': support,
  'delete users': owners,
  'see orders': support,
  'resolve flags': support,
  'credit orders': support,
  'refund orders': owners,
  'see reports': everybody,
  'decide reports': moderators,
  'see stars': everybody,
  'change stars': moderators,
  'see vouchers': support,
  'change vouchers': owners,
} as const satisfies Record<string, readonly OperatorRole[]>

export type OperatorRight = keyof typeof operatorRights

/** Whether that role may do it. */
export function mayDo(role: OperatorRole, right: OperatorRight): boolean {
  const roles: readonly OperatorRole[] = operatorRights[right]
  return roles.includes(role)
}
