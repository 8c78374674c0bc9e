import { useId, type ReactNode } from 'react'
import { useRovingFocus } from '../use-roving-focus.ts'

/** The parts of the editor's controls, in their order. */
export const editorTabs = ['place', 'scene', 'light', 'look', 'brush'] as const
export type EditorTab = (typeof editorTabs)[number]

interface EditorTabsProps {
  selected: EditorTab
  labels: Record<EditorTab, string>
  onSelect: (tab: EditorTab) => void
  /** What the selected tab shows. */
  children: ReactNode
}

/** Tabs, of which the arrow keys select the one that they come to (ARIA Authoring Practices, "Tabs"). */
export function EditorTabs({ selected, labels, onSelect, children }: EditorTabsProps) {
  const { group, onKeyDown } = useRovingFocus()
  const id = useId()
  return (
    <>
      <div
        ref={group}
        role="tablist"
        tabIndex={-1}
        className="flex gap-x-1 border-b border-bone/30 *:grow"
        onKeyDown={onKeyDown}
      >
        {editorTabs.map((tab) => (
          <button
            key={tab}
            id={`${id}-${tab}`}
            type="button"
            role="tab"
            aria-selected={tab === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab === selected ? 0 : -1}
            className={`min-h-11 border-b-3 font-semibold ${tab === selected ? 'border-safelight' : 'border-transparent text-ash hover:text-bone'}`}
            onClick={() => onSelect(tab)}
            onFocus={() => onSelect(tab)}
          >
            {labels[tab]}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        className="grid gap-5 pt-4"
      >
        {children}
      </div>
    </>
  )
}
