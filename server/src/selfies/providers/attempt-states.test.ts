import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { makeGeneration } from '../../testing/make-generation.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import type { AttemptState, AttemptTransition } from './attempts.ts'
import { attemptTransitions, finalStates, moveAttempt, slotStates } from './attempts.ts'

/** Where each transition leads from each state; what isn't there must change nothing. */
const table: Record<AttemptState, Partial<Record<AttemptTransition, AttemptState>>> = {
  waiting: { grant: 'granted', fail: 'failed' },
  granted: { submit: 'submitting', fail: 'failed' },
  submitting: {
    requeue: 'waiting',
    accept: 'submitted',
    lose: 'submit_unknown',
    answer: 'answered',
    store: 'fetched',
    fail: 'failed',
  },
  submitted: { answer: 'answered', fail: 'failed' },
  submit_unknown: { accept: 'submitted', answer: 'answered', fail: 'failed' },
  answered: { store: 'fetched', fail: 'failed' },
  fetched: { complete: 'succeeded', fail: 'failed' },
  succeeded: {},
  failed: {},
}
const states = Object.keys(table) as AttemptState[]
const transitions = Object.keys(attemptTransitions) as AttemptTransition[]

// Without a program that would move attempts on by itself.
let db: Awaited<ReturnType<typeof openTestDatabase>>
let generationId: string
beforeAll(async () => {
  db = await openTestDatabase()
  ;({ generationId } = await makeGeneration(db.database))
})
afterAll(() => db[Symbol.asyncDispose]())

const error = { error_kind: 'unknown', error_detail: 'a test' } as const
const times = () => ({ created_at: new Date(), next_look_at: new Date(), deadline_at: new Date() })
let attempts = 100

/** An attempt in that state, with everything that any state must have. */
async function insertAttempt(state: AttemptState): Promise<string> {
  attempts += 1
  const isFinal = finalStates.includes(state)
  const { id } = await db.database
    .insertInto('generation_attempts')
    .values({
      generation_id: generationId,
      user_id: await makeUser(db.database, 0),
      chain_position: attempts,
      provider: 'nobody',
      model: 'none',
      prompt_version: 'test',
      state,
      request_id: `request ${attempts}`,
      status_url: 'https://vendor.example/status',
      output_key: 'an object',
      submitted_at: new Date(),
      finished_at: isFinal ? new Date() : null,
      ...(state === 'failed' ? error : {}),
      ...times(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function move(state: AttemptState, name: AttemptTransition): Promise<AttemptState> {
  const { database } = db
  const id = await insertAttempt(state)
  const leadsTo: AttemptState = attemptTransitions[name].to
  await moveAttempt(database, name, id)
    .set({
      ...(finalStates.includes(leadsTo) ? { finished_at: new Date() } : {}),
      ...(leadsTo === 'failed' ? error : {}),
    })
    .execute()
  const row = await database
    .selectFrom('generation_attempts')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await database.deleteFrom('generation_attempts').where('id', '=', id).execute()
  return row.state
}

test.for(states)(
  'an attempt that is %s moves as the table says, and not otherwise',
  async (state) => {
    for (const name of transitions) {
      expect([name, await move(state, name)]).toEqual([name, table[state][name] ?? state])
    }
  },
)

describe('what cannot be by mistake', () => {
  test('nothing leads from a state in which a request may have been sent to one that sends it, but for requests turned away', () => {
    const leadsToSending = transitions.filter((name) =>
      (['waiting', 'granted', 'submitting'] as AttemptState[]).includes(
        attemptTransitions[name].to,
      ),
    )
    expect(leadsToSending).toEqual(['grant', 'submit', 'requeue'])
    expect(attemptTransitions.requeue.from).toEqual(['submitting'])
  })

  test('every state is reached, and every one but the final ones is left', () => {
    const reached = new Set<AttemptState>(transitions.map((name) => attemptTransitions[name].to))
    expect(states.filter((state) => !reached.has(state))).toEqual([])
    const left = new Set<AttemptState>(transitions.flatMap((name) => attemptTransitions[name].from))
    expect(states.filter((state) => !left.has(state))).toEqual(finalStates)
  })

  test('the database keeps a final state, whoever writes', async () => {
    for (const state of finalStates) {
      const id = await insertAttempt(state)
      await expect(
        db.database
          .updateTable('generation_attempts')
          .set({ state: 'waiting', finished_at: null, error_kind: null })
          .where('id', '=', id)
          .execute(),
      ).rejects.toMatchObject({ constraint: 'generation_attempts_final_is_final' })
    }
  })

  test('states that take a slot are those between its granting and the vendor’s answer', () => {
    expect(slotStates).toEqual(['granted', 'submitting', 'submitted', 'submit_unknown'])
  })
})
