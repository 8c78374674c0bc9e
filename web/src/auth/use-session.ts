import { useEffect, useReducer } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { onSessionEnd } from '../api/call.ts'
import { initialAuthState, reduceAuth } from './auth-state.ts'
import { forgetSession, restoreSession } from './session-calls.ts'

/** Who is signed in, kept in step with the server and with the browser's other tabs. */
export function useSession() {
  const [state, dispatch] = useReducer(reduceAuth, initialAuthState)

  useEffect(() => {
    let controller = new AbortController()
    const restore = async (): Promise<void> => {
      controller.abort()
      controller = new AbortController()
      const { signal } = controller
      const user = await restoreSession(signal)
      if (!signal.aborted) dispatch(user ? { type: 'success', user } : { type: 'logged-out' })
    }
    // Another tab signed out, or somebody else in.
    const onStorage = (event: StorageEvent): void => {
      if (event.key === storageKeys.authToken || event.key === null) void restore()
    }
    void restore()
    addEventListener('storage', onStorage)
    return () => {
      controller.abort()
      removeEventListener('storage', onStorage)
    }
  }, [])

  useEffect(
    () =>
      onSessionEnd(() => {
        forgetSession()
        dispatch({ type: 'session-lost' })
      }),
    [],
  )

  useEffect(() => {
    if (state.sessionChecked) delete document.documentElement.dataset['auth']
  }, [state.sessionChecked])
  return { state, dispatch }
}
