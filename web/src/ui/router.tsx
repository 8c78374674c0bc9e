import {
  createContext,
  startTransition,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { useListener } from './use-listener.ts'

/** Where the reader is: the parts of the address, and what was handed on with it. */
export interface Place {
  pathname: string
  search: string
  hash: string
  state: unknown
  /** How far down the page stood when it was left, in px, for who comes back to it; 0 else. */
  leftAtPx: number
}

interface NavigateOptions {
  /** Takes the place of the current entry in the browser's history. */
  replace?: boolean
  /** Handed on to the next page, and kept over a reload. */
  state?: unknown
}

type Navigate = (to: string, options?: NavigateOptions) => void

const RouterContext = createContext<{ place: Place; navigate: Navigate } | null>(null)

/** The place that an address or a path of this app names. */
export function placeAt(address: string, state: unknown = null): Place {
  const { pathname, search, hash } = new URL(address, 'http://host')
  return { pathname, search, hash, state, leftAtPx: 0 }
}

/** The path of the page with one value of its query changed, or taken out where that is empty. */
export function addressWith(name: string, value: string): string {
  const url = new URL(location.href)
  if (value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url.pathname + url.search
}

const currentPlace = (): Place => placeAt(location.href, history.state)

/** Takes the part of the page that was led to out of the address: a reload, or what changes it, does not lead there again. */
export const forgetPart = (): void =>
  history.replaceState(history.state, '', location.pathname + location.search)

/** Where each page stood when a link led on from it, in px. */
const leftAtPx = new Map<string, number>()

/** Follows the history; a page stays until the next can be shown, and where it stands until a press is done. `initial` is for where no browser is. */
export function Router(props: { initial?: Place; children: ReactNode }) {
  const [place, setPlace] = useState(() => props.initial ?? currentPlace())
  useListener('popstate', () => {
    const next = currentPlace()
    const known = leftAtPx.get(next.pathname + next.search) ?? 0
    startTransition(() => setPlace({ ...next, leftAtPx: known }))
  })
  const [navigate] = useState((): Navigate => (to, { replace = false, state = null } = {}) => {
    const { pathname, search } = location
    if (!replace) leftAtPx.set(pathname + search, scrollY)
    history[replace ? 'replaceState' : 'pushState'](state, '', to)
    const show = () => setPlace(currentPlace())
    if (location.pathname === pathname && location.hash === '') show()
    else startTransition(show)
  })
  const value = useMemo(() => ({ place, navigate }), [place, navigate])
  return <RouterContext value={value}>{props.children}</RouterContext>
}

function useRouter(): { place: Place; navigate: Navigate } {
  const value = use(RouterContext)
  if (!value) throw new Error('There is no Router around this')
  return value
}

/** Where the reader is. */
export function useLocation(): Place {
  return useRouter().place
}

/** The address's query; empty while a prerendered page is hydrated, which was rendered without. */
export function useBrowserSearch(): string {
  const { search } = useLocation()
  return useInBrowser(() => search, '')
}

/** What only the browser knows; `inBuild` while a prerendered page is hydrated, which was rendered so. */
export function useInBrowser<Value>(read: () => Value, inBuild: Value): Value {
  return useSyncExternalStore(unchanging, read, () => inBuild)
}

const unchanging = () => () => undefined

/** The way to another page of the app; always the same function. */
export function useNavigate(): Navigate {
  return useRouter().navigate
}

/** Leads on to another page, in place of the current one. */
export function Redirect({ to, state = null }: { to: string; state?: unknown }) {
  const navigate = useNavigate()
  const lead = useEffectEvent(() => navigate(to, { replace: true, state }))
  useEffect(() => lead(), [])
  return null
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string }

/** A link within the app. A plain click stays in the tab and keeps the page's program. */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const navigate = useNavigate()
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (!staysInTab(event)) return
        event.preventDefault()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}

/** A link within the app that looks like one, as high as a finger needs. */
export function TextLink({ className = '', ...link }: LinkProps) {
  return <Link className={`text-link tall ${className}`} {...link} />
}

/** True for a plain click; one with a modifier or another button opens a tab or a menu. */
function staysInTab(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !event.defaultPrevented && event.button === 0 && !modified
}
