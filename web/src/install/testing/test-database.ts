import { vi } from 'vitest'

/** Requests of an `IndexedDB` are answered one turn later. */
function request<Result>(result: Result, before: (target: EventTarget) => void = () => undefined) {
  const target = Object.assign(new EventTarget(), { result, error: null, transaction: null })
  queueMicrotask(() => {
    before(target)
    target.dispatchEvent(new Event(target.error === null ? 'success' : 'error'))
  })
  return target
}

/** Databases of a browser that keep one table with entries by key; what is kept, by database and key. */
export function stubDatabases(): Map<string, Map<string, unknown>> {
  const databases = new Map<string, Map<string, unknown>>()
  const open = (name: string) => {
    const isNew = !databases.has(name)
    const table = databases.get(name) ?? new Map<string, unknown>()
    const objectStore = () => ({
      put: (value: unknown, key: string) => request(table.set(key, value)),
      get: (key: string) => request(table.get(key)),
    })
    const database = Object.assign(new EventTarget(), {
      createObjectStore: () => databases.set(name, table),
      transaction: () => ({ objectStore }),
      close: () => undefined,
    })
    return request(database, (target) => {
      const abort = () => Object.assign(target, { error: new DOMException('', 'AbortError') })
      Object.assign(target, { transaction: { abort } })
      if (isNew) target.dispatchEvent(new Event('upgradeneeded'))
    })
  }
  vi.stubGlobal('indexedDB', {
    open,
    deleteDatabase: (name: string) => request(databases.delete(name)),
  })
  return databases
}
