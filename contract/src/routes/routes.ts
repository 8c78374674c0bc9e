import { authRoutes, userRoutes } from './account-routes.ts'
import { callbackRoutes } from './callback-routes.ts'
import { creditRoutes } from './credit-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { legalRoutes, termsRoutes } from './legal-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { pictureRoutes } from './picture-routes.ts'
import { reportRoutes, verificationRoutes } from './report-routes.ts'
import { aiHealthRoutes, documentRoutes, healthRoutes, settingsRoutes } from './service-routes.ts'
import { sharingRoutes } from './sharing-routes.ts'
import { variationRoutes } from './variation-routes.ts'
import { voucherRoutes } from './voucher-routes.ts'

/** Every call of the API by what it is about, in the order in which a newcomer meets them. */
export const routeGroups = {
  Accounts: { ...authRoutes, ...userRoutes },
  Credits: { ...creditRoutes, ...voucherRoutes },
  'Legal pages': { ...legalRoutes, ...termsRoutes },
  Pictures: { ...pictureRoutes, ...variationRoutes },
  Sharing: sharingRoutes,
  Events: eventRoutes,
  Orders: orderRoutes,
  Reports: { ...verificationRoutes, ...reportRoutes },
  Callbacks: callbackRoutes,
  Service: { ...settingsRoutes, ...aiHealthRoutes, ...healthRoutes, ...documentRoutes },
} as const

/** Every call of the API. Servers, documents, tests and clients read this declaration. */
export const routes = {
  ...routeGroups.Accounts,
  ...routeGroups.Credits,
  ...routeGroups['Legal pages'],
  ...routeGroups.Pictures,
  ...routeGroups.Sharing,
  ...routeGroups.Events,
  ...routeGroups.Orders,
  ...routeGroups.Reports,
  ...routeGroups.Callbacks,
  ...routeGroups.Service,
} as const
export type ApiRoutes = typeof routes
