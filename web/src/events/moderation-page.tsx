import { useInfiniteQuery } from '@tanstack/react-query'
import type { ModerationAnswer } from '@starside/contract/events.ts'
import { call } from '../api/call.ts'
import { FilmButton } from '../generation/film-button.tsx'
import { dateTimeText } from '../ui/date-text.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { LoadMoreButton } from '../ui/load-more-button.tsx'
import { EventPage, Unready } from './event-page.tsx'
import { RoleGate } from './role-gate.tsx'
import { useUndo } from './use-undo.tsx'
import { EventTitle } from './welcome.tsx'

const moderationPollIntervalMs = 5_000

type AskedPicture = ModerationAnswer['pictures'][number]
type Verdict = Exclude<AskedPicture['wall'], 'private'>

/** What guests would like on the wall: on a phone, a moderator approves or hides it. */
export function ModerationPage() {
  return (
    <EventPage>
      {(event) => (
        <RoleGate event={event.name} eventRole="moderator">
          <div className="page-width grid max-w-3xl gap-5 py-5">
            <EventTitle event={event} />
            <AskedPictures event={event.name} />
          </div>
        </RoleGate>
      )}
    </EventPage>
  )
}

function AskedPictures({ event }: { event: string }) {
  const m = useMessages('events')
  const { act, bar } = useUndo()
  const query = useInfiniteQuery({
    queryKey: ['moderation', event],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/events/:event/moderation', {
        params: { event },
        query: { cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: moderationPollIntervalMs,
  })
  const judge = async (generationId: string, wall: Verdict): Promise<void> => {
    const params = { event, generationId }
    await call('PUT /api/events/:event/moderation/:generationId', { params, body: { wall } })
    await query.refetch()
  }
  if (!query.data) return <Unready error={query.error} onRetry={() => void query.refetch()} />
  const pictures = query.data.pages.flatMap((page) => page.pictures)
  return (
    <>
      {bar}
      {pictures.length === 0 ? <p className="text-xl">{m.nothingAsked}</p> : null}
      <ul className="grid gap-6 sm:grid-cols-2">
        {pictures.map((picture) => (
          <AskedPicture
            key={picture.generationId}
            picture={picture}
            onJudge={(wall) => {
              const { generationId } = picture
              const before = verdictOf(picture)
              void act(
                m.judged,
                () => judge(generationId, wall),
                () => judge(generationId, before),
              )
            }}
          />
        ))}
      </ul>
      {query.hasNextPage ? (
        <LoadMoreButton
          className="button button-film"
          isLoading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        />
      ) : null}
    </>
  )
}

const verdictOf = ({ wall }: AskedPicture): Verdict => (wall === 'private' ? 'asked' : wall)

interface AskedPictureProps {
  picture: AskedPicture
  onJudge: (wall: Verdict) => void
}

function AskedPicture({ picture, onJudge }: AskedPictureProps) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const asked = dateTimeText(picture.askedAt, language)
  return (
    <li aria-label={asked} className="grid content-start gap-2">
      <div className="relative">
        <img
          src={picture.imageUrl}
          alt={m.askedAlt}
          width={picture.widthPx}
          height={picture.heightPx}
          loading="lazy"
          className={`block h-auto w-full ${picture.wall === 'hidden' ? 'opacity-40' : ''}`}
        />
        <span className="stamp absolute top-0 right-0">{m.verdicts[verdictOf(picture)]}</span>
      </div>
      <p className="edge-print text-ash">{asked}</p>
      <div className="grid grid-cols-2 gap-2">
        <FilmButton
          className="min-h-14"
          aria-pressed={picture.wall === 'approved'}
          onClick={() => onJudge('approved')}
        >
          {m.approve}
        </FilmButton>
        <FilmButton
          className="min-h-14"
          aria-pressed={picture.wall === 'hidden'}
          onClick={() => onJudge('hidden')}
        >
          {m.hide}
        </FilmButton>
      </div>
    </li>
  )
}
