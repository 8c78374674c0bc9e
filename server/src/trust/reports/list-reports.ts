import type { Database } from '../../platform/db/database.ts'

/** Open reports, the most urgent first, or all of them, newest first. */
export function listReports(
  database: Database,
  options: { all: boolean; limit: number; offset?: number },
) {
  return database
    .selectFrom('reports')
    .selectAll()
    .$if(!options.all, (query) => query.where('resolved_at', 'is', null).orderBy('due_at'))
    .$if(options.all, (query) => query.orderBy('created_at', 'desc'))
    .limit(options.limit)
    .offset(options.offset ?? 0)
    .execute()
}

export function findReport(database: Database, reportId: string) {
  return database.selectFrom('reports').selectAll().where('id', '=', reportId).executeTakeFirst()
}
