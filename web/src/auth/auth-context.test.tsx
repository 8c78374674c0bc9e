import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useAuth } from './auth-context.ts'

function Reader() {
  return <p>{String(useAuth().isAuthenticated)}</p>
}

it('throws outside of its provider', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => render(<Reader />)).toThrow('useAuth must be used within an AuthProvider')
})
