import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** A declared value as text: schemas as JSON Schema, functions by what they are called with. */
function describeValue(value: unknown): unknown {
  if (value instanceof z.ZodType) return describeSchema(value)
  if (value instanceof Set) return [...value].map(describeValue)
  if (value instanceof Map) return [...value].map(describeValue)
  if (value instanceof RegExp) return String(value)
  if (typeof value === 'function') return `function of ${value.length}`
  if (Array.isArray(value)) return value.map(describeValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  // What a route takes and answers with stands under the name of its schema.
  const shown = 'name' in value ? entries.filter(([name]) => name !== 'schema') : entries
  return Object.fromEntries(shown.map(([name, each]) => [name, describeValue(each)]))
}

function describeSchema(schema: z.ZodType): unknown {
  const { $schema: _schema, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  })
  return described
}

const lineLengthMax = 100

/** JSON in which what fits a line stands on one. */
function layOut(value: unknown, indent = ''): string {
  const line = JSON.stringify(value) ?? 'undefined'
  if (line.length <= lineLengthMax || typeof value !== 'object' || value === null) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((each) => inner + layOut(each, inner))
    : Object.entries(value).map(([name, each]) => `${inner}${name}: ${layOut(each, inner)}`)
  return ['{', ...parts, `${indent}}`].join('\n')
}

const folders = ['', 'routes']

test.each(folders)(
  'limits, codes, routes and fields of src/%s are those that are published',
  async (folder) => {
    const path = join(import.meta.dirname, folder)
    const files = (await readdir(path)).filter(
      (name) => name.endsWith('.ts') && !name.includes('.test.'),
    )
    const texts = await Promise.all(
      files
        .toSorted((one, other) => (one < other ? -1 : 1))
        .map(async (file) => {
          const module: Record<string, unknown> = await import(join(path, file))
          const lines = Object.keys(module)
            .toSorted((one, other) => (one < other ? -1 : 1))
            .map((name) => `${name}: ${layOut(describeValue(module[name]))}`)
          return [`>>> ${file}`, ...lines, ''].join('\n')
        }),
    )
    await expect(texts.join('\n')).toMatchFileSnapshot(
      `testing/declarations${folder === '' ? '' : `-of-${folder}`}.txt`,
    )
  },
)
