import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { EventRole } from '@starside/contract/event-formats.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { Unready } from './event-page.tsx'
import { readFragment, forgetFragment } from './fragment.ts'

/**
 * Shows a page to a browser in which an operator's link was opened: its key stands behind the `#`
 * and leaves the address once the server has taken it.
 */
export function RoleGate(props: { event: string; eventRole: EventRole; children: ReactNode }) {
  const { event, eventRole: role, children } = props
  const m = useMessages('events')
  const query = useQuery({
    queryKey: ['role', event, role],
    queryFn: async () => {
      const key = readFragment('key')
      if (key !== null) await open(event, { role, key })
      const { roles } = await call('GET /api/events/:event/roles', { params: { event } })
      return roles.includes(role)
    },
    staleTime: Infinity,
  })
  if (query.data === true) return children
  if (query.data === undefined) {
    return <Unready error={query.error} onRetry={() => void query.refetch()} />
  }
  return (
    <p role="alert" className="m-auto max-w-md p-6 text-xl font-semibold">
      {m.needLink}
    </p>
  )
}

/** A link that was used up counts as none: its browser may be known by it already. */
async function open(event: string, body: { role: EventRole; key: string }): Promise<void> {
  try {
    await call('POST /api/events/:event/open', { params: { event }, body })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'event_link_unknown')) throw error
  }
  forgetFragment()
}
