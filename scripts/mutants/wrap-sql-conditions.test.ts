import { expect, test } from 'vitest'
import { wrapSqlConditions } from './wrap-sql-conditions.ts'

const idOf = (index: number) => `c${index}`

test('a condition of a query can be left out, with all its parentheses', () => {
  const code = "query.where('at', '<', new Date(now())).where('name', '=', ')')"
  expect(wrapSqlConditions(code, idOf)).toEqual({
    code:
      "query.$if(keepsSqlCondition(\"c0\"), (sqlQuery) => sqlQuery.where('at', '<', new Date(now())))" +
      ".$if(keepsSqlCondition(\"c1\"), (sqlQuery) => sqlQuery.where('name', '=', ')'))",
    conditions: [
      { text: ".where('at', '<', new Date(now()))", line: 1 },
      { text: ".where('name', '=', ')')", line: 1 },
    ],
  })
})

test('a condition of a text of SQL can be left out, and no line is added', () => {
  const code = [
    'sql`update holds set state = 1',
    '  where id = ${id}',
    '    and state = 0',
    '    and (open or',
    '      late)`',
    'and nothing of this',
  ].join('\n')
  const wrapped = wrapSqlConditions(code, idOf)
  expect(wrapped.code.split('\n')).toEqual([
    'sql`update holds set state = 1',
    '  where ${keepsSqlCondition("c0") ? sql`id = ${id}` : sql`true`}',
    '    ${keepsSqlCondition("c1") ? sql`and state = 0` : sql``}',
    '    and (open or',
    '      late)`',
    'and nothing of this',
  ])
  expect(wrapped.conditions).toEqual([
    { text: 'where id = ${id}', line: 2 },
    { text: 'and state = 0', line: 3 },
  ])
})
