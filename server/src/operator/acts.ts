import type { Act } from './act.ts'
import * as eventActs from './acts/event-acts.ts'
import * as operatorActs from './acts/operator-acts.ts'
import * as orderActs from './acts/order-acts.ts'
import * as reportActs from './acts/report-acts.ts'
import * as settingsActs from './acts/settings-acts.ts'
import * as starActs from './acts/star-acts.ts'
import * as userActs from './acts/user-acts.ts'
import * as voucherActs from './acts/voucher-acts.ts'

/** Everything that operators do under `/admin` and on the command line alike. */
export const acts: readonly Act[] = [
  orderActs,
  userActs,
  reportActs,
  voucherActs,
  eventActs,
  starActs,
  settingsActs,
  operatorActs,
].flatMap((each): Act[] => Object.values(each))
