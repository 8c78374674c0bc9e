import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * The schema `public` as readable text, in a fixed order: tables with columns and constraints,
 * then indexes, functions and triggers. Every change of the schema shows as a change of this text.
 */
export async function dumpSchema(database: Database): Promise<string> {
  const sections = [
    await dumpTables(database),
    await dumpIndexes(database),
    await dumpFunctions(database),
    await dumpTriggers(database),
  ]
  return `-- Made from the migrations by a test; never edited by hand.\n\n${sections.flat().join('\n')}\n`
}

async function dumpTables(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; columns: string[]; constraints: string[] }>`
    select class.relname as name,
      array(
        select attribute.attname || ' ' || format_type(attribute.atttypid, attribute.atttypmod)
          || case when attribute.attnotnull then ' not null' else '' end
          || case
            when attribute.attidentity <> '' then ' generated always as identity'
            when defaults.adbin is not null
              then ' default ' || pg_get_expr(defaults.adbin, defaults.adrelid)
            else ''
          end
        from pg_attribute as attribute
        left join pg_attrdef as defaults
          on defaults.adrelid = attribute.attrelid and defaults.adnum = attribute.attnum
        where attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
        order by attribute.attnum
      ) as columns,
      array(
        select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid)
        from pg_constraint
        where conrelid = class.oid and contype <> 'n'
        order by conname
      ) as constraints
    from pg_class as class
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'r'
    order by class.relname
  `.execute(database)
  return rows.map(({ name, columns, constraints }) => {
    const lines = [...columns, ...constraints].map((line) => `  ${line}`)
    return `create table ${name} (\n${lines.join(',\n')}\n);\n`
  })
}

/** Indexes that no constraint brings with it. */
async function dumpIndexes(database: Database): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(index.indexrelid) as definition
    from pg_index as index join pg_class as class on class.oid = index.indexrelid
    where class.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = index.indexrelid)
    order by class.relname
  `.execute(database)
  return [...rows.map(({ definition }) => `${definition};`), '']
}

async function dumpFunctions(database: Database): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition
    from pg_proc
    where pronamespace = 'public'::regnamespace
    order by proname
  `.execute(database)
  return rows.map(({ definition }) => `${definition.trim()};\n`)
}

async function dumpTriggers(database: Database): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger join pg_class as class on class.oid = pg_trigger.tgrelid
    where not tgisinternal and class.relnamespace = 'public'::regnamespace
    order by class.relname, tgname
  `.execute(database)
  return rows.map(({ definition }) => `${definition};`)
}
