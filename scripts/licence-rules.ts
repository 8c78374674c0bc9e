import rules from './licence-rules.json' with { type: 'json' }

/** Packages that are used although their licence isn't on the list, each with the reason. */
export const licenceExceptions = rules.exceptions.map(({ name, licence, reason }) => ({
  name: new RegExp(name, 'u'),
  licence: new RegExp(licence, 'u'),
  reason,
}))

/**
 * Whether an SPDX expression is allowed: one side of an OR, both sides of an AND.
 * @param expression as packages state it; parentheses may stand around it or its parts
 */
export function isAllowed(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/gu, ' ')
  return bare
    .split(/\s+OR\s+/u)
    .some((side) =>
      side.split(/\s+AND\s+/u).every((licence) => rules.allowed.includes(licence.trim())),
    )
}
