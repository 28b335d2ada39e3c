/**
 * `npm run deploy`: `cdk deploy` of the three stacks. The data stack is deployed without protection the first time, so that a
 * deployment that fails can be cleaned away and repeated, and is protected by the same command once it has succeeded.
 */
import { spawn } from 'node:child_process'
import { describeStack } from './cloud-formation.ts'
import { deploySteps, stackName, stageOf } from './deploy-steps.ts'
import { errorMessage } from './error-message.ts'

const usage = `Usage: npm run deploy -- -c stage=<name> [--parameters <Name>=<value> ...] [options of cdk deploy]
  The first time it also protects the data, after that was deployed.`

try {
  const given = process.argv.slice(2)
  if (given.includes('--help') || given.includes('-h')) console.log(usage)
  else await deploy(given)
} catch (error) {
  console.error(errorMessage(error))
  process.exitCode = 1
}

async function deploy(given: readonly string[]): Promise<void> {
  const stage = stageOf(given)
  const [data, service, monitoring] = await Promise.all(
    (['data', 'service', 'monitoring'] as const).map((which) => describeStack(stackName(stage, which))),
  )
  for (const step of deploySteps(given, { data, service, monitoring })) {
    console.log(`cdk ${step.join(' ')}`)
    const code = await run(step)
    if (code === 0) continue
    process.exitCode = code
    return
  }
}

const run = (args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    spawn('cdk', args, { stdio: 'inherit' })
      .once('error', reject)
      .once('close', (code) => resolve(code ?? 1))
  })
