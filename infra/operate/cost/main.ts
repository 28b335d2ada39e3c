/**
 * `npm run cost`: what the service costs on AWS: per million of each operation, per month for customers of three sizes,
 * and when nobody uses it. Starts the embedded service in a temporary folder, drives a fixed mixture and prices what it
 * used at list prices.
 */

import { parseArgs } from 'node:util'
import { errorMessage } from '../error-message.ts'
import { measureCost } from './cost-report.ts'
import { printReport } from './print-report.ts'

const usage = `Usage: npm run cost -- [--json]`

try {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(usage)
  else {
    const report = await measureCost()
    console.log(values.json ? JSON.stringify(report, null, 2) : printReport(report))
  }
} catch (error) {
  console.error(errorMessage(error, usage))
  process.exitCode = 1
}
