import { presetCategories } from '@starside/contract/preset-categories.ts'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import type { StarFilter } from './filter-stars.ts'

interface StarFilterFieldsProps {
  stars: readonly CelebrityPreset[]
  filter: StarFilter
  /** How many stars the filter leaves. */
  found: number
  onFilter: (filter: StarFilter) => void
  onReset: () => void
}

/** Narrows the stars by words and by what they are known for. */
export function StarFilterFields(props: StarFilterFieldsProps) {
  const m = useMessages('dashboard')
  const { filter, found, onFilter } = props
  const categories = presetCategories.filter((category) =>
    props.stars.some((star) => star.category === category),
  )
  return (
    <>
      <div className="grid grid-cols-[1fr_auto] gap-2 md:[&>.field]:min-h-9 md:[&>.field]:py-1 md:[&>.field]:text-[0.9rem]">
        <input
          type="search"
          className="field min-w-0"
          aria-label={m.searchStars}
          placeholder={m.searchStars}
          value={filter.query}
          onChange={(event) => onFilter({ ...filter, query: event.target.value })}
        />
        <select
          className="field"
          aria-label={m.starCategory}
          value={filter.category ?? ''}
          onChange={(event) => {
            const category = categories.find((one) => one === event.target.value) ?? null
            onFilter({ ...filter, category })
          }}
        >
          <option value="">{m.everyCategory}</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {m.starCategories[category]}
            </option>
          ))}
        </select>
      </div>
      <p role="status" className={found > 0 ? 'sr-only' : 'flex flex-wrap gap-x-3'}>
        {found > 0 ? fill(m.starsFound, { count: found }) : m.noStarFound}
        {found > 0 ? null : (
          <button type="button" className="text-link" onClick={props.onReset}>
            {m.showEveryStar}
          </button>
        )}
      </p>
    </>
  )
}
