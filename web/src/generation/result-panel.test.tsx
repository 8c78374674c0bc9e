import { expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import * as catalogues from '../ui/messages/catalogues.ts'
import { ResultPanel } from './result-panel.tsx'

it('what shows the picture is loaded while it is made, the words of its versions included', async () => {
  const load = vi.spyOn(catalogues, 'loadCatalogue')
  const panel = (isRunning: boolean) => (
    <ResultPanel
      number="3"
      running={isRunning ? { startedAtMs: 0, stage: null, expectedMs: null } : null}
      picture={null}
      problem={null}
      previews={[null, null]}
      onItem={() => undefined}
      onGone={() => undefined}
    />
  )
  const { again } = await show(panel(false))
  expect(load).not.toHaveBeenCalledWith('variations', 'en')
  await again(panel(true))
  expect(load).toHaveBeenCalledWith('variations', 'en')
})
