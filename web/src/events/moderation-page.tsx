import { useInfiniteQuery } from '@tanstack/react-query'
import type { ModerationAnswer } from '@starside/contract/events.ts'
import { call } from '../api/call.ts'
import { SmallError, useSubmission } from '../ui/form.tsx'
import { ToggleButtons } from '../ui/button.tsx'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { LoadMoreButton } from '../ui/query-state.tsx'
import { Answered, TeamPage, teamPollIntervalMs } from './event-page.tsx'
import { PictureList } from './picture-list.tsx'

type AskedPicture = ModerationAnswer['pictures'][number]
const verdicts = ['asked', 'approved', 'hidden'] as const

/** What guests would like on the wall: on a phone, a moderator approves or hides it. */
export function ModerationPage() {
  return <TeamPage eventRole="moderator">{({ name }) => <AskedPictures event={name} />}</TeamPage>
}

function AskedPictures({ event }: { event: string }) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const { error, submit } = useSubmission(m.failed)
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
    refetchInterval: teamPollIntervalMs,
  })
  const judge = ({ generationId, askedAt }: AskedPicture, wall: (typeof verdicts)[number]) =>
    submit(async () => {
      const params = { event, generationId }
      const body = { wall, askedAt }
      await call('PUT /api/events/:event/moderation/:generationId', { params, body })
      await query.refetch()
    })
  return (
    <Answered query={query}>
      {({ pages }) => (
        <>
          <SmallError>{error}</SmallError>
          {pages[0]?.pictures.length === 0 ? <p className="text-xl">{m.nothingAsked}</p> : null}
          <PictureList
            label={m.askedList}
            pictures={pages.flatMap((page) => page.pictures)}
            keyOf={({ generationId }) => generationId}
            altOf={() => m.askedAlt}
          >
            {(picture) => (
              <>
                <p className="edge-print text-ash">{dateTimeText(picture.askedAt, language)}</p>
                <ToggleButtons
                  label={m.verdict}
                  value={verdicts.find((verdict) => verdict === picture.wall) ?? null}
                  options={verdicts}
                  nameOf={(verdict) => m.verdicts[verdict]}
                  onChange={(verdict) => void judge(picture, verdict)}
                />
              </>
            )}
          </PictureList>
          <LoadMoreButton className="button button-film" query={query} />
        </>
      )}
    </Answered>
  )
}
