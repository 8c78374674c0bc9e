import type pg from 'pg'

/** Lets every insert into that table fail, until its trigger `fails` is dropped. */
export async function failInserts(pool: pg.Pool, table: string): Promise<void> {
  await pool.query(`
    create or replace function fail_insert() returns trigger language plpgsql
    as $$ begin raise exception 'the test lets this fail'; end $$;
    create trigger fails before insert on ${table} for each row execute function fail_insert();
  `)
}
