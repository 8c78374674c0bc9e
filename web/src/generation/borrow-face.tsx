import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { DemoPerson } from '@starside/contract/presets.ts'
import { call } from '../api/call.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'

interface BorrowFaceProps {
  disabled: boolean
  /** Resolves once the person's photo stands in the frame. */
  onBorrow: (person: DemoPerson) => Promise<void>
}

/** "No photo at hand?": people who do not exist, whose photo stands in for one's own. */
export function BorrowFace({ disabled, onBorrow }: BorrowFaceProps) {
  const m = useMessages('dashboard')
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { data } = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => call('GET /api/people', { signal }),
    staleTime: Infinity,
  })
  if (!data || data.people.length === 0) return null
  const borrow = (person: DemoPerson): void => {
    setState('loading')
    onBorrow(person).then(
      () => setState('idle'),
      () => setState('failed'),
    )
  }
  return (
    <div role="group" aria-labelledby="borrow-label">
      <p id="borrow-label" className="edge-print mb-1.5 text-ash md:mt-2">
        {m.borrowFace}
      </p>
      <ul className="grid max-w-sm grid-cols-6 gap-1.5">
        {data.people.map((person, index) => (
          <li key={person.id}>
            <button
              type="button"
              aria-label={fill(m.borrowFaceNumber, { number: index + 1 })}
              disabled={disabled || state === 'loading'}
              className="block w-full overflow-hidden rounded-full hover:outline-3 hover:outline-bone disabled:opacity-50"
              onClick={() => borrow(person)}
            >
              <picture>
                {person.thumbnail.avif ? (
                  <source type="image/avif" srcSet={person.thumbnail.avif} />
                ) : null}
                <img
                  src={person.thumbnail.jpeg}
                  alt=""
                  width={320}
                  height={320}
                  className="block aspect-square h-auto w-full object-cover"
                />
              </picture>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-[0.9rem] text-ash empty:hidden">
        {state === 'failed' ? m.borrowFailed : ''}
      </p>
    </div>
  )
}
