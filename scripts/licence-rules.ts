import rules from './licence-rules.json' with { type: 'json' }

/** Packages that are used although their licence isn't on the list, each with the reason. */
export const licenceExceptions = rules.exceptions.map(({ name, licence, reason }) => ({
  name: new RegExp(name, 'u'),
  licence: new RegExp(licence, 'u'),
  reason,
}))

/** Whether an SPDX expression, perhaps in parentheses, is allowed: one side of OR, both of AND. */
export function isAllowed(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/gu, ' ')
  return bare
    .split(/\s+OR\s+/u)
    .some((side) =>
      side.split(/\s+AND\s+/u).every((licence) => rules.allowed.includes(licence.trim())),
    )
}
