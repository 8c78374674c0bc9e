import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// What is waited for may take long on a busy machine; nothing is asserted by it.
configure({ asyncUtilTimeout: 600_000 })

// The files of a worker share one document.
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})
