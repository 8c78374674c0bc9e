import { useRef } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { FilmButton, TextButton } from '../ui/button.tsx'
import { Choice, SmallError, Status, useSubmission } from '../ui/form.tsx'
import { starName } from '../ui/join-stars.ts'
import { useMessages } from '../ui/language.tsx'
import { addressWith, useNavigate } from '../ui/router.tsx'
import { useListener } from '../ui/use-listener.ts'
import type { GalleryQuery, useGallery } from './use-gallery.ts'
import { downloadPicture } from './use-picture-sharing.ts'

/** Ids of the selfies that are selected; null while nobody selects. */
export type Selected = readonly string[] | null

interface GalleryBarProps {
  gallery: ReturnType<typeof useGallery>
  asked: GalleryQuery
  selected: Selected
  onSelect: (selected: Selected) => void
  onDelete: (ids: readonly string[]) => void
}

/** Which selfies are shown; how many of them are selected, and saving or deleting those, which Escape ends. */
export function GalleryBar({ gallery, asked, selected, onSelect, onDelete }: GalleryBarProps) {
  const m = useMessages('dashboard')
  const { busy, error, submit } = useSubmission(m.downloadFailed)
  const toggle = useRef<HTMLButtonElement>(null)
  const chosen = gallery.items.filter(({ generationId }) => selected?.includes(generationId))
  const isOff = chosen.length === 0 || busy
  useListener('keydown', ({ key }) => {
    if (key !== 'Escape' || selected === null) return
    onSelect(null)
    toggle.current?.focus()
  })
  /** Also those of pages that come later. */
  const selectAll = async (): Promise<void> => {
    let { query } = gallery
    while (query.hasNextPage && !query.isError) query = await query.fetchNextPage()
    const all = query.data?.pages.flatMap(({ items }) => items) ?? []
    onSelect(all.flatMap(({ imageUrl, generationId }) => (imageUrl ? [generationId] : [])))
  }
  /** One after the other. */
  const download = () =>
    submit(async () => {
      for (const { downloadUrl, imageUrl } of chosen) await downloadPicture(downloadUrl ?? imageUrl)
    })
  return (
    <div
      className={`gallery-bar page-width top-0 z-2 flex flex-wrap items-center gap-x-5 bg-film md:sticky md:min-h-14 ${selected ? 'sticky' : ''}`}
    >
      {selected ? (
        <>
          <Status className="font-semibold">{fill(m.selected, { count: chosen.length })}</Status>
          <TextButton className="min-h-11" onClick={() => void selectAll()}>
            {m.selectAll}
          </TextButton>
          <div className="selection-acts">
            <FilmButton aria-disabled={isOff} onClick={() => isOff || void download()}>
              {busy ? m.downloading : m.downloadSelected}
            </FilmButton>
            <FilmButton aria-disabled={isOff} onClick={() => isOff || onDelete(selected)}>
              {m.deletePicture}
            </FilmButton>
          </div>
        </>
      ) : (
        <Filters {...asked} stars={gallery.stars} />
      )}
      <TextButton
        ref={toggle}
        className="ml-auto min-h-11"
        onClick={() => onSelect(selected ? null : [])}
      >
        {selected ? m.cancel : m.selectSelfies}
      </TextButton>
      <SmallError>{error}</SmallError>
    </div>
  )
}

function Filters({ star, order, stars }: GalleryQuery & { stars: readonly string[] }) {
  const m = useMessages('dashboard')
  const navigate = useNavigate()
  const names = star === undefined || stars.includes(star) ? stars : [star, ...stars]
  const starNames = Object.fromEntries(names.map((name) => [name, starName(name, m)]))
  const choose = (name: string) => (value: string) =>
    navigate(addressWith(name, value), { replace: true })
  return (
    <>
      <Choice
        label={m.galleryOrder}
        value={order ?? ''}
        names={{ '': m.galleryNewest, oldest: m.galleryOldest }}
        choose={choose('order')}
      />
      {names.length > 1 ? (
        <Choice
          label={m.galleryStar}
          value={star ?? ''}
          names={{ '': m.galleryAllStars, ...starNames }}
          choose={choose('star')}
        />
      ) : null}
    </>
  )
}
