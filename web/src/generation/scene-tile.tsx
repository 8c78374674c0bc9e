import type { ReactNode } from 'react'

interface SceneTileProps {
  /** The group of radio buttons that it belongs to, one of its kind on the page. */
  group: string
  value: string
  checked: boolean
  label: string
  onChoose: () => void
  /** Its picture. */
  children: ReactNode
}

/** One scene to choose, as a picture with its name below. */
export function SceneTile({ group, value, checked, label, onChoose, children }: SceneTileProps) {
  return (
    <label className="group relative block w-24 shrink-0 cursor-pointer snap-start sm:w-auto">
      <input
        type="radio"
        name={group}
        value={value}
        checked={checked}
        className="peer sr-only"
        onChange={onChoose}
      />
      <span className="block border-3 border-transparent peer-checked:border-red peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-red group-hover:border-current peer-checked:group-hover:border-red in-[.on-film]:peer-focus-visible:outline-amber">
        {children}
      </span>
      <span className="mt-1 block text-xs leading-tight [overflow-wrap:anywhere] peer-checked:font-bold sm:text-sm">
        {label}
      </span>
    </label>
  )
}
