import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { buildFunctions } from '../esbuild.config.ts'
import { deployedFunctions } from './catalogue/functions.ts'
import { MonitoringStack } from './monitoring/monitoring-stack.ts'
import { DataStack } from './stack/data-stack.ts'
import { ServiceStack } from './stack/service-stack.ts'

/**
 * The CDK app: bundles the functions into `BUNDLE_DIR`, then writes the template. `cdk deploy` and the local cloud
 * both run this file, so both use the same template. The local cloud makes the bundles itself, each when it is needed
 * (`BUNDLE_LATER`): its assets only name their functions.
 */
const root = join(import.meta.dirname, '..')
const bundles = process.env.BUNDLE_DIR ?? join(root, '.build', 'functions')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

if (process.env.BUNDLE_LATER === undefined) await buildFunctions(bundles)
else for (const { name } of deployedFunctions) nameFunction(join(bundles, name), name)

const app = new App({ analyticsReporting: false })
const stage = String(app.node.tryGetContext('stage') ?? 'dev')
if (!/^[a-z][a-z0-9]{0,15}$/.test(stage))
  throw new Error(`stage must be 1 to 16 lower-case letters and digits, not "${stage}"`)
// A synthesis for nobody's deployment is the same each time.
const now = process.env.CDK_CLI_VERSION === undefined ? 'never' : new Date().toISOString()
const deployedAt = String(app.node.tryGetContext('deployedAt') ?? now)
const protect = String(app.node.tryGetContext('protect') ?? 'true')
if (!['true', 'false'].includes(protect)) throw new Error(`protect must be true or false, not "${protect}"`)
const data = new DataStack(app, `EntityWorkflow-${stage}-Data`, { stage, isProtected: protect === 'true' })
const service = new ServiceStack(app, `EntityWorkflow-${stage}`, {
  stage,
  version,
  bundles,
  data,
  deployedAt,
})
const monitoring = new MonitoringStack(app, `EntityWorkflow-${stage}-Monitoring`, { stage, deployedAt, data, service })
// Checked by the CDK command line only: the local cloud runs this file without it and must start fast
// (docs/decisions/0034).
if (process.env.CDK_CLI_VERSION !== undefined)
  (await import('./stack/best-practices.ts')).checkBestPractices(app, { data, service, monitoring })
app.synth()

function nameFunction(directory: string, name: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'function.json'), JSON.stringify({ name }))
}
