import { expect, test } from 'vitest'
import { isComplete } from './install.js'

const thisMachine = { os: [process.platform], cpu: [process.arch] }
const anotherSystem = process.platform === 'linux' ? 'darwin' : 'linux'
const wanted = {
  '': { version: '0.1.0' },
  web: { version: '0.1.0' },
  'node_modules/@starside/web': { link: true },
  'node_modules/zod': { version: '4.0.0' },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/sharp-here': { version: '1.0.0', optional: true, ...thisMachine },
  'node_modules/sharp-there': {
    version: '1.0.0',
    optional: true,
    os: [anotherSystem],
    cpu: [process.arch],
  },
  'node_modules/extra': { version: '1.0.0', optional: true },
}
const forStart = {
  'node_modules/@starside/web': { link: true },
  'node_modules/zod': { version: '4.0.0' },
  'node_modules/sharp-here': { version: '1.0.0', optional: true, ...thisMachine },
}
const forTests = { ...forStart, 'node_modules/vitest': { version: '5.0.0', dev: true } }

function complete(present: object, withDevelopmentTools: boolean, missing: string[] = []): boolean {
  const record = Object.fromEntries(Object.entries(present))
  const isThere = (place: string) => !missing.includes(place)
  return isComplete({ wanted, present: record, withDevelopmentTools, isThere })
}

test('an installation without development tools serves npm start, but not npm test', () => {
  expect(complete(forStart, false)).toBe(true)
  expect(complete(forStart, true)).toBe(false)
})

test('a full installation serves both', () => {
  expect(complete(forTests, true)).toBe(true)
  expect(complete(forTests, false)).toBe(true)
})

test('npm may record a system as a name instead of a list', () => {
  const program = { version: '1.0.0', os: process.platform, cpu: process.arch }
  expect(
    complete({ ...forStart, 'node_modules/node/node_modules/node-here': program }, false),
  ).toBe(true)
})

test.each([
  ['a package of another version', { ...forStart, 'node_modules/zod': { version: '3.9.0' } }, []],
  ['a package that npm left out', { 'node_modules/zod': { version: '4.0.0' } }, []],
  ['a folder that was removed', forStart, ['node_modules/zod']],
  ['a missing program for this machine', { ...forStart, 'node_modules/sharp-here': {} }, []],
  [
    'folders copied from another system',
    { ...forStart, 'node_modules/sharp-there': wanted['node_modules/sharp-there'] },
    [],
  ],
])('%s calls for a new installation', (_what, present, missing) => {
  expect(complete(present, false, missing)).toBe(false)
})

const otherProcessor = process.arch === 'x64' ? 'arm64' : 'x64'

test.each<[string, object, boolean, boolean]>([
  ['tools of tests are no part of the program', { dev: true }, true, false],
  ['nor are those that only tests need among optional ones', { devOptional: true }, true, false],
  ['an optional package can be done without', { optional: true }, true, true],
  ['so can one for any processor', { optional: true, os: [process.platform] }, true, true],
  ['so can one for any system', { optional: true, cpu: [process.arch] }, true, true],
  ['a program for this machine can’t', { optional: true, ...thisMachine }, false, false],
  [
    'nor can one for every system but another',
    { optional: true, os: [`!${anotherSystem}`], cpu: [process.arch] },
    false,
    false,
  ],
  [
    'one for every system but this can',
    { optional: true, os: [`!${process.platform}`], cpu: [process.arch] },
    true,
    true,
  ],
  [
    'so can one for another processor',
    { optional: true, ...thisMachine, cpu: otherProcessor },
    true,
    true,
  ],
  ['and one for another C library', { optional: true, ...thisMachine, libc: ['musl'] }, true, true],
])('%s', (_what, entry, servesProgram, servesTools) => {
  const place = 'node_modules/more'
  const isDone = (withDevelopmentTools: boolean) =>
    isComplete({
      wanted: { [place]: { version: '1.0.0', ...entry } },
      present: {},
      withDevelopmentTools,
      isThere: () => true,
    })
  expect([isDone(false), isDone(true)]).toEqual([servesProgram, servesTools])
})

test('what was installed for another processor calls for a new installation', () => {
  const present = { 'node_modules/more': { version: '1.0.0', cpu: [otherProcessor] } }
  const state = { wanted: {}, withDevelopmentTools: false, isThere: () => true }
  expect(isComplete({ ...state, present })).toBe(false)
})
