import type { ComponentProps, ReactNode } from 'react'

function buttonOf(kind: string) {
  return ({ className = '', ...button }: ComponentProps<'button'>): ReactNode => (
    <button type="button" className={`${kind} ${className}`} {...button} />
  )
}

export const Button = buttonOf('button')
/** What most people want. */
export const MainButton = buttonOf('button button-main')
/** A button that looks like a link. */
export const TextButton = buttonOf('text-link')
/** A button on the dark ground of the film. */
export const FilmButton = buttonOf('button button-film')

/** A button that unfolds something, with a sign for the eye whether it is unfolded. */
export function FoldButton(props: ComponentProps<'button'> & { unfolded: boolean }): ReactNode {
  const { unfolded, children, ...button } = props
  return (
    <button type="button" aria-expanded={unfolded} {...button}>
      {children}
      <span aria-hidden="true" className="ml-2 inline-block">
        {unfolded ? '▴' : '▾'}
      </span>
    </button>
  )
}

interface ToggleButtonsProps<Option extends string | number> {
  label: string
  value: Option | null
  options: readonly Option[]
  nameOf: (option: Option) => string
  /** The language of a name, where it is not the page's. */
  languageOf?: (option: Option) => string
  onChange: (option: Option) => void
}

/** Buttons side by side, of which the chosen one is pressed. */
export function ToggleButtons<Option extends string | number>(props: ToggleButtonsProps<Option>) {
  return (
    <div role="group" aria-label={props.label} className="flex flex-wrap gap-2">
      {props.options.map((option) => (
        <FilmButton
          key={option}
          lang={props.languageOf?.(option)}
          aria-pressed={option === props.value}
          onClick={() => props.onChange(option)}
        >
          {props.nameOf(option)}
        </FilmButton>
      ))}
    </div>
  )
}
