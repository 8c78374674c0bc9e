import type { createThreadTasks } from './thread-tasks.ts'

/** Requests to threads and their answers, as the tasks of `createThreadTasks` take and give them. */

type Tasks = ReturnType<typeof createThreadTasks>

export type TaskKind = keyof Tasks

/** What a task takes. */
export type TaskInput<Kind extends TaskKind> = Parameters<Tasks[Kind]>[0]

/** What a thread answers to each kind of request. */
export type ThreadResults = { [Kind in TaskKind]: Awaited<ReturnType<Tasks[Kind]>> }

/** A request of one kind. */
export type RequestOf<Kind extends TaskKind> = { kind: Kind } & TaskInput<Kind>

/** What the parent asks of a thread. A session is one photo that the thread keeps. */
export type ThreadRequest = { [Kind in TaskKind]: RequestOf<Kind> }[TaskKind]

/** What a thread does for each kind of request. */
export type ThreadTasks = {
  [Kind in TaskKind]: (
    request: TaskInput<Kind>,
  ) => ThreadResults[Kind] | Promise<ThreadResults[Kind]>
}

export interface ThreadEnvelope {
  id: number
  request: ThreadRequest
  /** One flag shared with the parent: not 0 when the work is no longer wanted. */
  cancelled: Int32Array
}

export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: Error }
