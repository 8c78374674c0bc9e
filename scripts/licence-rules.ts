/** Licences (SPDX) under which others' work may be part of this project. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'W3C',
  'WTFPL',
  'Zlib',
]

/** Packages that are used all the same, each with the reason. */
export const licenceExceptions: readonly { name: RegExp; licence: RegExp; reason: string }[] = [
  {
    name: /^@img\/sharp-/u,
    licence: /LGPL-3\.0/u,
    reason: 'libvips is linked dynamically and unchanged, as the LGPL asks; it can be exchanged.',
  },
  {
    name: /^heic-to$/u,
    licence: /LGPL-3\.0/u,
    reason: 'A file of its own (libheif), loaded unchanged by the browser when a HEIC comes.',
  },
  {
    name: /^(?:humanize-number|only)$/u,
    licence: /UNKNOWN/u,
    reason: 'MIT by the licence text in the package; its description leaves it out.',
  },
]

/**
 * Whether an SPDX expression is allowed: one side of an OR, both sides of an AND.
 * @param expression as packages state it; parentheses may stand around it or its parts
 */
export function isAllowed(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/gu, ' ')
  return bare
    .split(/\s+OR\s+/u)
    .some((side) =>
      side.split(/\s+AND\s+/u).every((licence) => allowedLicences.includes(licence.trim())),
    )
}
