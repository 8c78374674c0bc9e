import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { checkTidiness, findProblems, readProject } from './tidy.ts'

test('the project keeps its own rules', async () => {
  const files = await readProject()
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap(findProblems)).toEqual([])
})

test('what git tracks or would track is looked at, if it is text, and every problem printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'starside-tidy-'))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const write = (name: string, content: string) => writeFile(join(folder, name), content)
  try {
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder })
    await write('.gitignore', 'kept-out.md\n')
    await write('picture.md', `PNG 12345\0`)
    await write('kept-out.md', 'no title')
    await write('good.md', '# A title\n')
    expect((await readProject(folder)).map((file) => file.path)).toEqual(['.gitignore', 'good.md'])
    expect(await checkTidiness(folder)).toBe(true)
    await write('new.md', 'no title')
    expect(await checkTidiness(folder)).toBe(false)
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^new\.md: has 0 titles/)]])
  } finally {
    log.mockRestore()
    await rm(folder, { recursive: true })
  }
})

test.each([
  ['web/src/a.ts', `import { b } from '@starside/server/config.ts'`, 'imports from server'],
  ['web/src/a.ts', `const b = await import('@starside/engine/engine.ts')`, 'imports from engine'],
  ['engine/src/a.ts', `import type { B } from '@starside/contract/auth.ts'`, 'only provenance'],
  ['sandbox/src/a.ts', `export { b } from '../../contract/src/auth.ts'`, 'none of ours'],
  ['server/src/app/app.ts', `import { b } from '@starside/web/b.ts'`, 'only contract and engine'],
  [
    'server/src/payments/a.ts',
    `import { b } from '@starside/sandbox/a.ts'`,
    'imports from sandbox',
  ],
  [
    'server/src/payments/a.ts',
    `import { b } from '@starside/sandbox/nowpayments/gateway.ts'`,
    'imports from sandbox',
  ],
  ['engine/src/a.ts', `import { b } from '@starside/contract/scenes.ts'`, 'only provenance'],
  ['server/src/ledger/credits/a.ts', `import { b } from '../../payments/b.ts'`, 'only rooms below'],
  ['server/src/selfies/a.ts', `import {\n  b,\n} from '../trust/user/b.ts'`, 'only rooms below'],
  ['server/src/platform/db/a.ts', `import { b } from '../../config.ts'`, 'only rooms below'],
  ['web/src/auth/a.ts', `import {\n  b,\n} from '../orders/queries.ts'`, 'never queries'],
  ['web/src/ui/a.ts', `import { b } from '../credits/tier.ts'`, 'knows no feature'],
  ['web/src/orders/a.ts', `import { b } from '../credits/tier.ts'`, "doesn't import credits"],
  ['web/src/auth/a.tsx', `import { b } from '../app/landing-page.tsx'`, "doesn't import app"],
  ['server/src/payments/a.ts', `import { b } from '../operator/b.ts'`, 'only rooms below'],
  ['server/src/nowhere/a.ts', `const a = 1`, 'which no list of scripts/tidy-rules.ts names'],
  ['server/src/app/app.ts', `const port = process.env.PORT`, 'reads the environment'],
  ['web/src/ui/index.ts', `const a = 1\n`, 'is a barrel'],
  [
    'web/src/ui/all.ts',
    `/** All. */\nexport * from './a.ts'\nexport { b } from './b.ts'\n`,
    'is a barrel',
  ],
  ['server/src/a.ts', `  await using lock = take()`, 'declares with `using`'],
  ['server/src/platform/db/a.ts', `const doorbell = 1`, 'write notification'],
  ['engine/src/a.ts', `/** A failure is told by the first call. */`, 'write is reported'],
  ['docs/a.md', `# One\n\nA crowd waits.\n`, 'many callers'],
  ['docs/a.md', `# One\n\n# Two\n`, 'has 2 titles'],
  ['docs/a.md', `text\n`, 'has 0 titles'],
  [
    'docs/a.md',
    ['# One\n\nSee ', 'home', 'ann\n'].join('/'),
    'line 3 carries the path of a machine',
  ],
  [
    '.npmrc',
    ['registry=https://registry', 'npmjs.org\n'].join('.'),
    'the host of a package registry',
  ],
])('%s with %j is told: %s', (path, text, told) => {
  expect(findProblems({ path, text }).join('\n')).toContain(told)
})

test.each([
  ['web/src/a.ts', `import { b } from '@starside/contract/auth.ts'`],
  ['server/src/payments/a.ts', `import { b } from '../ledger/credits/grant.ts'`],
  ['web/src/orders/a.ts', `import { b } from '../auth/auth-context.ts'`],
  ['web/src/app/a.tsx', `import { b } from '../orders/order-store.ts'`],
  ['server/src/payments/a.ts', `// import { b } from '../sharing/queries.ts' would be wrong`],
  ['server/src/payments/a.test.ts', `import { b } from '@starside/sandbox/gateway.ts'`],
  ['server/src/config.ts', `const port = process.env.PORT`],
  [
    'server/src/payments/payment-modules.ts',
    `import { b } from '@starside/sandbox/nowpayments/gateway.ts'`,
  ],
  [
    'server/src/platform/db/a.ts',
    `import { b } from './b.ts'\nexport { b } from './b.ts'\nexport const c = b`,
  ],
  ['server/src/a.test.ts', `await using database = await createTestDatabase()`],
  ['docs/a.md', '# One\n\n```\n# a comment\n```\n'],
  ['docs/a.md', '# One\n\nSee https://example.com/home/page and /var/lib/starside.\n'],
])('%s with %j is fine', (path, text) => {
  expect(findProblems({ path, text })).toEqual([])
})
