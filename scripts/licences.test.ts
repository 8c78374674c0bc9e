import { expect, test } from 'vitest'
import { isAllowed, licenceExceptions } from './licence-rules.ts'
import { listPackages } from './list-packages.ts'
import { runTool } from './run-program.ts'

test.for([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['Apache-2.0 AND MIT', true],
  ['GPL-3.0-or-later', false],
  ['Apache-2.0 AND LGPL-3.0-or-later', false],
  ['AGPL-3.0', false],
  ['UNKNOWN', false],
  ['SEE LICENSE IN LICENSE', false],
] as const)('the licence %s is allowed: %s', ([expression, expected]) => {
  expect(isAllowed(expression)).toBe(expected)
})

test('every package of the lock file is allowed or excepted with a reason', async () => {
  const packages = await listPackages()
  expect(packages.length).toBeGreaterThan(300)
  const refused = packages.filter(
    ({ name, licence }) =>
      !isAllowed(licence) &&
      !licenceExceptions.some((rule) => rule.name.test(name) && rule.licence.test(licence)),
  )
  expect(refused).toEqual([])
})

test('the list of licences is as `npm run licences` writes it', async () => {
  expect(await runTool('scripts/licences.ts', ['--check'])).toBe(0)
})

test('every exception is still needed', async () => {
  const packages = await listPackages()
  for (const rule of licenceExceptions) {
    expect(
      packages.some(({ name, licence }) => rule.name.test(name) && rule.licence.test(licence)),
    ).toBe(true)
  }
})
