import { configure } from '@testing-library/react'

// What is waited for may take long on a busy machine; nothing is asserted by it.
configure({ asyncUtilTimeout: 30_000 })
