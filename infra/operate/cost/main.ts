/**
 * `npm run cost`: what the service costs on AWS: per million of each operation, per month for customers of three sizes,
 * and when nobody uses it. Starts the embedded service in a temporary folder, drives a fixed mixture and prices what it
 * used at list prices.
 */

import { runCommand } from '../command.ts'
import { measureCost } from './cost-report.ts'
import { regions } from './prices.ts'
import { printReport } from './print-report.ts'

const command = {
  name: 'cost',
  does: 'Measures what operations cost on AWS, per million and per month, with an embedded service of its own.',
  options: {
    region: { value: '<name>', meaning: `whose prices: ${regions.join(', ')} (default: ${regions[0]})` },
    json: { meaning: 'prints JSON' },
  },
  example: '--region eu-central-1',
} as const

await runCommand(command, async ({ json, region = regions[0] }) => {
  const known = regions.find((name) => name === region)
  if (!known)
    throw new Error(
      `The prices of ${region} are not known, only those of ${regions.join(', ')}: add them to prices.ts.`,
    )
  const report = await measureCost(undefined, known)
  console.log(json ? JSON.stringify(report, null, 2) : printReport(report))
})
