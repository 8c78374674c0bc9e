import { useQuery } from '@tanstack/react-query'
import type { OpenSession } from '@starside/contract/auth.ts'
import { call } from '../api/call.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { useAuth } from './auth-context.ts'
import devices from './devices.json'

/** Where the user is signed in, and the way to end all of it. */
export function Sessions() {
  const m = useMessages('dashboard')
  const { logout } = useAuth()
  const { error, submit } = useSubmission(m.requestFailed)
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call('GET /api/auth?action=sessions', { signal }),
  })
  const signOutEverywhere = () =>
    submit(async () => {
      await call('POST /api/auth?action=logout-everywhere')
      logout()
    })
  const endSession = async (sessionId: string): Promise<void> => {
    await submit(() => call('POST /api/auth?action=end-session', { body: { sessionId } }))
    await query.refetch()
  }
  return (
    <section aria-labelledby="sessions" className="rule pt-3">
      <h3 id="sessions" className="text-2xl font-bold">
        {m.sessions}
      </h3>
      {query.isPending ? (
        <p role="status" className="mt-3">
          {m.sessionsLoading}
        </p>
      ) : null}
      {query.isError ? (
        <p role="alert" className="mt-3">
          {m.sessionsFailed}{' '}
          <button type="button" className="text-link" onClick={() => void query.refetch()}>
            {m.tryAgain}
          </button>
        </p>
      ) : null}
      <ul className="mt-3">
        {query.data?.sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => void endSession(session.id)}
          />
        ))}
      </ul>
      <p className="mt-4 text-grey">{m.signOutEverywhereText}</p>
      <button type="button" className="button mt-2" onClick={() => void signOutEverywhere()}>
        {m.signOutEverywhere}
      </button>
      <p role="alert" className="mt-2 font-semibold text-red empty:hidden">
        {error}
      </p>
    </section>
  )
}

function SessionRow({ session, onEnd }: { session: OpenSession; onEnd: () => void }) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  return (
    <li className="border-b border-line py-2">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-semibold">{deviceName(session.userAgent) ?? m.unknownDevice}</span>
        {session.isCurrent ? <span className="stamp">{m.thisDevice}</span> : null}
      </span>
      <span className="block text-[0.95rem] text-grey">
        {fill(m.sessionSince, { date: dateTimeText(session.createdAt, language) })}
      </span>
      {session.isCurrent ? null : (
        <button type="button" className="text-link py-1 text-[0.95rem]" onClick={onEnd}>
          {m.endSession}
        </button>
      )}
    </li>
  )
}

/** Browser and system in a few words from a User-Agent header; null when it names neither. */
function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const parts = [devices.browsers, devices.systems].map(
    (table) => table.find(({ pattern }) => new RegExp(pattern).test(userAgent))?.name,
  )
  return parts.filter((part) => part !== undefined).join(', ') || null
}
