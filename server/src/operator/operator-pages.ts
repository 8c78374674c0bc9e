import { keysOf } from '@starside/contract/keys-of.ts'
import { z } from 'zod'
import { navigationGroups } from './operator-page.ts'
import type { OperatorPage, PageBody } from './operator-page.ts'
import pageTexts from './operator-pages.json' with { type: 'json' }
import { accountPage } from './pages/account-page.ts'
import { brandPage } from './pages/brand-page.ts'
import { booksPage } from './pages/books-page.ts'
import { figuresPage } from './pages/figures-page.ts'
import { eventPage, eventsPage } from './pages/events-page.ts'
import { legalPagePage, legalPagesPage, legalPreviewPage } from './pages/legal-pages.ts'
import { firstStepsPage } from './pages/first-steps-page.ts'
import { logPage } from './pages/log-page.ts'
import { operatorsPage } from './pages/operators-page.ts'
import { orderPage, ordersPage } from './pages/orders-page.ts'
import { overviewPage } from './pages/overview-page.ts'
import { packagePage, packagesPage } from './pages/packages-page.ts'
import { usersPage, userPage } from './pages/users-page.ts'
import { reportsPage } from './pages/reports-page.ts'
import { selfiePage } from './pages/selfie-page.ts'
import { selfiesPage } from './pages/selfies-page.ts'
import { settingsPage } from './pages/settings-page.ts'
import { starPage, starsPage } from './pages/stars-page.ts'
import { vouchersPage } from './pages/vouchers-page.ts'
import { operatorRights } from './roles.ts'

const bodies: Record<keyof typeof pageTexts, PageBody> = {
  '/admin': overviewPage,
  '/admin/first-steps': firstStepsPage,
  '/admin/brand': brandPage,
  '/admin/packages': packagesPage,
  '/admin/packages/:id': packagePage,
  '/admin/presets': starsPage,
  '/admin/presets/:id': starPage,
  '/admin/vouchers': vouchersPage,
  '/admin/events': eventsPage,
  '/admin/events/:id': eventPage,
  '/admin/legal': legalPagesPage,
  '/admin/legal/:page': legalPagePage,
  '/admin/legal/:page/preview': legalPreviewPage,
  '/admin/users': usersPage,
  '/admin/users/:id': userPage,
  '/admin/orders': ordersPage,
  '/admin/orders/:id': orderPage,
  '/admin/selfies': selfiesPage,
  '/admin/selfies/:id': selfiePage,
  '/admin/reports': reportsPage,
  '/admin/figures': figuresPage,
  '/admin/books': booksPage,
  '/admin/log': logPage,
  '/admin/settings': settingsPage,
  '/admin/operators': operatorsPage,
  '/admin/account': accountPage,
}

const declarations = z.record(
  z.enum(keysOf(bodies)),
  z.object({
    title: z.string(),
    lead: z.string().exactOptional(),
    right: z.enum(keysOf(operatorRights)),
    group: z.enum(navigationGroups).exactOptional(),
  }),
)

/** Every page below `/admin`, in the order of the navigation. */
export const operatorPages: readonly OperatorPage[] = Object.entries(
  declarations.parse(pageTexts),
).map(([path, page]) => ({ path, ...page, ...bodies[path as keyof typeof pageTexts] }))
