import { useRef } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { FilmButton, TextButton } from '../ui/button.tsx'
import { SmallError, Status, useSubmission } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { useListener } from '../ui/use-listener.ts'
import type { useGallery } from './use-gallery.ts'
import { downloadPicture } from './use-picture-sharing.ts'

/** Ids of the selfies that are selected; null while nobody selects. */
export type Selected = readonly string[] | null

interface SelectionBarProps {
  gallery: ReturnType<typeof useGallery>
  selected: Selected
  onSelect: (selected: Selected) => void
  onDelete: (ids: readonly string[]) => void
}

/** Begins to select selfies, says how many are selected, and saves or deletes them; Escape ends it. */
export function SelectionBar({ gallery, selected, onSelect, onDelete }: SelectionBarProps) {
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
    <div className="page-width sticky top-0 z-2 flex flex-wrap items-center gap-x-5 bg-film md:min-h-14">
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
      ) : null}
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
