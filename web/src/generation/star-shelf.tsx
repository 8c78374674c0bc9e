import { useState, type ComponentProps } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { StarPicture } from './star-picture.tsx'
import { useStarSearch, usePresets, filterStars, lineOf, starsToSearchMin } from './use-presets.ts'
import type { StarFilter } from './use-presets.ts'
import type { StarPanelProps } from './star-panels.tsx'
import { QueryState, LoadMoreButton } from '../ui/query-state.tsx'
import { useRovingFocus } from './use-roving-focus.ts'
import { TextButton } from '../ui/button.tsx'
import { Select } from '../ui/form.tsx'

type StarShelfProps = Omit<StarPanelProps, 'children' | 'number'> & { labelId: string }

const everyStar: StarFilter = { query: '', category: null }

/** The preset stars: a shelf to swipe on a phone, a grid on a desk. Their lines describe the buttons. */
export function StarShelf({ labelId, star: choice, takenId, disabled }: StarShelfProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { query, presets } = usePresets()
  const [filter, setFilter] = useState(everyStar)
  const search = useStarSearch(filter, query.hasNextPage)
  // What fails of further pages leaves the stars that are there.
  const first = { ...query, isError: query.isLoadingError }
  const isFetchingNextPage = query.isFetchingNextPage || search.isFetching
  const [focused, setFocused] = useState<string | null>(null)
  const { group, onKeyDown } = useRovingFocus()
  const stars = presets.filter(({ id }) => id !== takenId)
  const { presetId } = choice.chosen
  const searchable = stars.length >= starsToSearchMin
  const shown = searchable ? filterStars(stars, filter, language) : stars
  const isShown = (id: string | null) => shown.some((star) => star.id === id)
  const tabStop = [focused, presetId].find(isShown) ?? shown[0]?.id
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-ash md:min-h-7">
        <p id={labelId} tabIndex={-1} className="font-mono text-[0.9rem]">
          {m.orChoosePreset}
        </p>
        {stars.length > 0 && stars.every((star) => star.aiGenerated) ? (
          <p className="text-[0.85rem]">{m.starsAiGenerated}</p>
        ) : null}
      </div>
      <QueryState query={first} loading={m.presetsLoading} failed={m.presetsFailed} />
      {searchable ? (
        <FilterFields stars={stars} filter={filter} found={shown.length} onFilter={setFilter} />
      ) : null}
      {first.isError ? null : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys act on its buttons.
        <div
          ref={group}
          role="group"
          aria-labelledby={labelId}
          aria-busy={query.isPending}
          className="star-grid -m-1.5 flex snap-x motion-safe:scroll-smooth scroll-p-1.5 gap-2 overflow-auto overscroll-contain p-1.5 aria-busy:min-h-36 md:grid md:snap-y md:grid-cols-[repeat(auto-fill,minmax(var(--tile),1fr))] md:content-start md:pb-6 md:aria-busy:min-h-(--rows)"
          onKeyDown={onKeyDown}
        >
          {shown.map((star) => (
            <StarButton
              key={star.id}
              star={star}
              chosen={star.id === presetId}
              disabled={disabled}
              tabIndex={star.id === tabStop ? 0 : -1}
              onFocus={() => setFocused(star.id)}
              onClick={(event) => {
                choice.choosePreset(star.id)
                event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'center' })
              }}
            />
          ))}
        </div>
      )}
      <LoadMoreButton className="button-film" query={{ ...query, isFetchingNextPage }} />
    </>
  )
}

type StarButtonProps = ComponentProps<'button'> & { star: CelebrityPreset; chosen: boolean }

function StarButton({ star, chosen, ...button }: StarButtonProps) {
  return (
    <div className="w-24 shrink-0 snap-start md:w-auto">
      <button
        type="button"
        aria-pressed={chosen}
        title={lineOf(star, useLanguage().language)}
        className="group block w-full text-left"
        {...button}
      >
        <span
          className={`relative block md:[&_img]:aspect-auto md:[&_img]:h-(--face) ${chosen ? 'outline-3 outline-accent-dark forced-colors:outline-[Highlight]' : 'group-hover:outline-3 group-hover:outline-bone'}`}
        >
          <StarPicture small star={star} alt="" />
          {chosen ? (
            <span aria-hidden="true" className="stamp absolute right-0 bottom-0">
              ✓
            </span>
          ) : null}
        </span>
        <span className="mt-1 block text-[0.84rem] leading-[1.2] tracking-[-0.01em]">
          {star.name}
        </span>
      </button>
    </div>
  )
}

interface FilterFieldsProps {
  stars: readonly CelebrityPreset[]
  filter: StarFilter
  found: number
  onFilter: (filter: StarFilter) => void
}

function FilterFields({ stars, filter, found, onFilter }: FilterFieldsProps) {
  const m = useMessages('dashboard')
  const categories = presetCategories.filter((category) =>
    stars.some((star) => star.category === category),
  )
  const names = Object.fromEntries(categories.map((one) => [one, m.starCategories[one]]))
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(5.25rem,auto)] gap-2 max-md:[&>.field]:min-h-11 max-md:[&>.field]:py-1 md:[&>.field]:min-h-9 md:[&>.field]:px-2 md:[&>.field]:py-1 md:[&>.field]:text-[0.95rem]">
        <input
          type="search"
          className="field min-w-0"
          aria-label={m.searchStars}
          placeholder={m.searchStars}
          value={filter.query}
          onChange={(event) => onFilter({ ...filter, query: event.target.value })}
        />
        <Select
          options={{ '': m.everyCategory, ...names }}
          aria-label={m.starCategory}
          value={filter.category ?? ''}
          onChange={({ target: { value } }) =>
            onFilter({ ...filter, category: categories.find((one) => one === value) ?? null })
          }
        />
      </div>
      <p role="status" className={found > 0 ? 'sr-only' : 'flex flex-wrap gap-x-3'}>
        {found > 0 ? fill(m.starsFound, { count: found }) : m.noStarFound}
        {found > 0 ? null : (
          <TextButton onClick={() => onFilter(everyStar)}>{m.showEveryStar}</TextButton>
        )}
      </p>
    </>
  )
}
