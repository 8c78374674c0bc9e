import { expect, test } from 'vitest'
import {
  describeSeconds,
  estimateSeconds,
  readMigrationSteps,
} from '../commands/health-commands.ts'

test.for([
  ['create index orders_by_time on orders (created_at);', [{ table: 'orders', work: 'scan' }]],
  ['alter table users add column shoe_size integer;', []],
  [
    'alter table orders add constraint orders_positive check (price > 0);',
    [{ table: 'orders', work: 'scan' }],
  ],
  ['alter table orders add constraint orders_positive check (price > 0) not valid;', []],
  ['update credit_accounts set owed = 0;', [{ table: 'credit_accounts', work: 'write' }]],
  ['alter table orders alter column price type bigint;', [{ table: 'orders', work: 'write' }]],
  ['create table vouchers (id bigint); create index vouchers_by_id on vouchers (id);', []],
  ['-- update users set name = 1\nselect 1;', []],
  ['create function f() returns void language sql as $$ update users set a = 1 $$;', []],
  [
    'insert into tallies select status, count(*) from users group by 1;',
    [{ table: 'users', work: 'scan' }],
  ],
] as const)('%s', ([sql, steps]) => {
  expect(readMigrationSteps(sql)).toEqual(steps)
})

test('writing all rows is told to take longer than reading them', () => {
  const rows = 1_000_000
  const read = estimateSeconds({ table: 'users', work: 'scan' }, rows)
  expect(estimateSeconds({ table: 'users', work: 'write' }, rows)).toBeGreaterThan(read)
})

test('an estimate is reported in seconds up to two minutes, then in minutes, rounded up', () => {
  expect([0.9, 1, 119.5, 120, 3_601].map(describeSeconds)).toEqual([
    'less than a second',
    'about 1 s',
    'about 120 s',
    'about 2 minutes',
    'about 61 minutes',
  ])
})
