import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { SmallError } from '../ui/form.tsx'
import { QueryState } from '../ui/query-state.tsx'
import { AccountSection } from './account-section.tsx'
import { useAuth } from './auth-context.ts'
import devices from './devices.json'
import { Button, TextButton } from '../ui/button.tsx'

/** Where the user is signed in, and the way to end all of it. */
export function Sessions() {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
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
    <AccountSection id="sessions" title={m.sessions}>
      <QueryState
        query={query}
        loading={m.sessionsLoading}
        failed={m.sessionsFailed}
        className="mt-3"
      />
      <ul className="mt-3">
        {query.data?.sessions.map(({ id, userAgent, isCurrent, createdAt }) => (
          <li key={id} className="border-b border-line py-2">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-semibold">{deviceName(userAgent) ?? m.unknownDevice}</span>
              {isCurrent ? <span className="stamp">{m.thisDevice}</span> : null}
            </span>
            <span className="block text-[0.95rem] text-grey">
              {fill(m.sessionSince, { date: dateTimeText(createdAt, language) })}
            </span>
            {isCurrent ? null : (
              <TextButton className="py-1 text-[0.95rem]" onClick={() => void endSession(id)}>
                {m.endSession}
              </TextButton>
            )}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-grey">{m.signOutEverywhereText}</p>
      <Button className="mt-2" onClick={() => void signOutEverywhere()}>
        {m.signOutEverywhere}
      </Button>
      <SmallError>{error}</SmallError>
    </AccountSection>
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
