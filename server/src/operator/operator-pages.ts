import type { OperatorPage } from './operator-page.ts'
import { accountPage } from './pages/account-page.ts'
import { brandPage } from './pages/brand-page.ts'
import { booksPage } from './pages/books-page.ts'
import { figuresPage } from './pages/figures-page.ts'
import { legalPagePage, legalPreviewPage } from './pages/legal-page-page.ts'
import { legalPagesPage } from './pages/legal-pages-page.ts'
import { firstStepsPage } from './pages/first-steps-page.ts'
import { logPage } from './pages/log-page.ts'
import { operatorsPage } from './pages/operators-page.ts'
import { orderPage, ordersPage } from './pages/orders-page.ts'
import { overviewPage } from './pages/overview-page.ts'
import { packagePage, packagesPage } from './pages/packages-page.ts'
import { usersPage, userPage } from './pages/users-page.ts'
import { reportsPage } from './pages/reports-page.ts'
import { selfiesPage } from './pages/selfies-page.ts'
import { starPage, starsPage } from './pages/stars-page.ts'
import { vouchersPage } from './pages/vouchers-page.ts'

/** Every page below `/admin`, in the order of the navigation. */
export const operatorPages: readonly OperatorPage[] = [
  overviewPage,
  firstStepsPage,
  brandPage,
  packagesPage,
  packagePage,
  starsPage,
  starPage,
  vouchersPage,
  legalPagesPage,
  legalPagePage,
  legalPreviewPage,
  usersPage,
  userPage,
  ordersPage,
  orderPage,
  selfiesPage,
  reportsPage,
  figuresPage,
  booksPage,
  logPage,
  operatorsPage,
  accountPage,
]
