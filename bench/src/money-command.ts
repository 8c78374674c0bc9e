import { measureMoney } from './money.ts'

await measureMoney(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
