/**
 * `npm run cost`: what the service costs on AWS: per million of each operation, per month for customers of three sizes,
 * and when nobody uses it. Starts the embedded service in a temporary folder, drives a fixed mixture and prices what it
 * used at list prices.
 */

import { runCommand } from '../command.ts'
import { measureCost } from './cost-report.ts'
import { printReport } from './print-report.ts'

const command = {
  name: 'cost',
  does: 'Measures what operations cost on AWS, per million and per month, with an embedded service of its own.',
  options: { json: { meaning: 'prints JSON' } },
  example: '--json',
} as const

await runCommand(command, async ({ json }) => {
  const report = await measureCost()
  console.log(json ? JSON.stringify(report, null, 2) : printReport(report))
})
