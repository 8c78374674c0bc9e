const types: Readonly<Record<string, string>> = {
  bigint: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  'character varying(255)': 'string',
  date: 'Date',
  integer: 'number',
  'integer[]': 'number[]',
  jsonb: 'unknown',
  numeric: 'string',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}

/**
 * The rows of the database as Kysely takes them, of the text of `schema.sql`. A column that a
 * constraint holds to a list of texts has these as its type.
 * @param known the text of `column-types.ts`, whose columns have the types that stand there
 */
export function writeTableTypes(schema: string, known: string): string {
  const named = new Set([...known.matchAll(/^ {2}'(\w+\.\w+)':/gm)].map(([, name]) => name))
  const tables = [...schema.matchAll(/^create table (\w+) \(\n(.*?)\n\);$/gms)].map(
    ([, table = '', body = '']) => ({
      table,
      lines: body.split('\n'),
      typeName: typeNameOf(table),
    }),
  )
  const texts = tables.map(({ table, lines, typeName }) => {
    const columns = lines
      .filter((line) => !line.startsWith('  constraint '))
      .map((line) => {
        const column = /^ {2}"?(\w+)"?/.exec(line)?.[1] ?? ''
        const name = `${table}.${column}`
        const type = named.delete(name) ? `ColumnTypes['${name}']` : typeOf(line, lines)
        return `  ${column}: ${type}\n`
      })
    return `export interface ${typeName} {\n${columns.join('')}}\n`
  })
  if (named.size > 0) throw new Error(`the schema lacks ${[...named].join(', ')}`)
  return [
    '// Made from schema.sql and column-types.ts by a test; never edited by hand.\n',
    "import type { Generated } from 'kysely'\nimport type { ColumnTypes } from './column-types.ts'\n",
    ...texts,
    '/** The rows of the database. Timestamps are `Date`s, int8 and numerics are texts. */',
    `export interface Tables {\n${tables.map(({ table, typeName }) => `  ${table}: ${typeName}\n`).join('')}}\n`,
  ].join('\n')
}

function typeNameOf(table: string): string {
  return `${table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`
}

/** @param line a column's; `lines` are its table's */
function typeOf(line: string, lines: readonly string[]): string {
  const [, column = '', type = '', rest = ''] =
    /^ {2}"?(\w+)"? (.+?)((?: not null| default | generated ).*?)?,?$/.exec(line) ?? []
  const list = `CHECK ((${column} = ANY (ARRAY[`
  const constraint = lines.find((each) => each.includes(` ${list}'`))
  const choices = [...(constraint?.matchAll(/'(\w+)'::text/g) ?? [])].map(([, text]) => `'${text}'`)
  const plain = choices.length > 0 ? choices.join(' | ') : types[type]
  if (plain === undefined) throw new Error(`nobody knows the type of '${line}'`)
  const known = rest.includes(' not null') ? plain : `${plain} | null`
  return / default | generated /.test(rest) ? `Generated<${known}>` : known
}
